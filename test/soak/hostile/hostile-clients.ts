import { newKey, type Player } from '../clients/player.ts';
import { between, pause, type World } from '../world.ts';
import {
  holdConnections,
  pipelineLists,
  readNothing,
  sendNoise,
  sendTinyChunks,
} from './connection-attacks.ts';
import { askFromEverywhere, inventPlayers, useSessionsOfOthers } from './identity-attacks.ts';
import { repeatBatches, sendLargeBodies, uploadRounds } from './input-attacks.ts';

/** One attack, over and over until the server ends. Whatever is answered but not owed is a fault. */
export type Attack = (world: World, attacker: Player) => Promise<void>;

export const attacks: readonly Attack[] = [
  ...[repeatBatches, sendLargeBodies, uploadRounds],
  ...[inventPlayers, useSessionsOfOthers, askFromEverywhere],
  ...[pipelineLists, readNothing, sendNoise, sendTinyChunks, holdConnections],
];

/** As fast as the server lets it; `number` tells it from others that do the same. */
export async function runHostileClient(world: World, attack: Attack, number: number): Promise<void> {
  const attacker = { address: `203.0.113.${1 + attacks.indexOf(attack) * 10 + number}`, key: newKey() };
  while (!world.isEnding()) {
    await attack(world, attacker);
    await pause(between(0, 20));
  }
}
