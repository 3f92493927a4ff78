/** A process of the pool. Workers are numbered from 1 on, in order of their start. */
interface PoolWorker {
  readonly id: number;
  /** Number of rolls requested before it was started. */
  readonly generation: number;
}

interface StartingWorker extends PoolWorker {
  /**
   * A reload was requested while it was starting: it may already have read its files, and does not handle the
   * signal yet.
   */
  readonly mustReload: boolean;
}

/** The place of one serving worker. While it is being replaced, its successor starts beside it. */
export interface Slot {
  readonly serving: PoolWorker | undefined;
  readonly starting: StartingWorker | undefined;
  /** Whether a worker of this slot has served, or has ended before that. */
  readonly isTried: boolean;
}

export interface PoolState {
  readonly slots: readonly Slot[];
  /** Id of the last worker started. */
  readonly lastId: number;
  /** Number of rolls requested. */
  readonly generation: number;
  readonly isRolling: boolean;
  /** The worker that a roll has replaced, until it has ended; then the roll continues. */
  readonly leaving: number | undefined;
  /** Pause before the next ended worker is replaced, in milliseconds. */
  readonly pause: number;
  readonly phase: 'opening' | 'open' | 'stopping';
}

export type PoolEvent =
  | { readonly type: 'open' | 'roll' | 'reload' | 'stop' }
  | { readonly type: 'ready'; readonly id: number }
  | { readonly type: 'exit'; readonly id: number; readonly reason: string }
  /** The pause of the effect `wait` is over. */
  | { readonly type: 'waited'; readonly slot: number };

export type PoolEffect =
  | { readonly type: 'fork'; readonly id: number }
  | { readonly type: 'end' | 'reload'; readonly id: number }
  | { readonly type: 'wait'; readonly slot: number; readonly ms: number }
  | { readonly type: 'info' | 'error'; readonly message: string }
  /**
   * `opened`: each slot was tried, and at least one worker serves. `failed`: the first worker ended before it
   * served.
   */
  | { readonly type: 'opened' | 'failed' }
  /** All workers have ended after a stop. */
  | { readonly type: 'stopped' };

export interface PoolStep {
  readonly state: PoolState;
  readonly effects: readonly PoolEffect[];
}

/** In milliseconds. A worker that dies immediately must not keep the machine busy. */
const firstPause = 100;
const maxPause = 5_000;

/** @param count number of serving workers, at least 1 */
export function newPool(count: number): PoolState {
  return {
    slots: Array.from({ length: count }, () => ({ serving: undefined, starting: undefined, isTried: false })),
    lastId: 0,
    generation: 0,
    isRolling: false,
    leaving: undefined,
    pause: firstPause,
    phase: 'opening',
  };
}

/**
 * The pool after an event, and the effects. Each slot has at most one serving and one starting worker, and a
 * roll replaces one slot at a time: there are never more serving workers than slots, and never more than one
 * additional process.
 */
export function reducePool(state: PoolState, event: PoolEvent): PoolStep {
  switch (event.type) {
    case 'open':
      return startIn(state, 0);
    case 'ready':
      return onReady(state, event.id);
    case 'exit':
      return onExit(state, event.id, event.reason);
    case 'waited':
      return state.phase !== 'stopping' && isEmpty(state.slots[event.slot])
        ? startIn(state, event.slot)
        : { state, effects: [] };
    case 'roll':
      return state.phase === 'stopping'
        ? { state, effects: [] }
        : continueRoll({ ...state, generation: state.generation + 1, isRolling: true });
    case 'reload':
      return reload(state);
    default:
      return stop(state);
  }
}

/** Every process of the pool that has not ended. */
export function workersOf({ slots, leaving }: PoolState): readonly number[] {
  const inSlots = slots.flatMap(({ serving, starting }) => [serving?.id, starting?.id]);
  return [...inSlots, leaving].filter((id) => id !== undefined);
}

function startIn(state: PoolState, at: number): PoolStep {
  const id = state.lastId + 1;
  const starting = { id, generation: state.generation, mustReload: false };
  return { state: withSlot({ ...state, lastId: id }, at, { starting }), effects: [{ type: 'fork', id }] };
}

function onReady(state: PoolState, id: number): PoolStep {
  const at = state.slots.findIndex(({ starting }) => starting?.id === id);
  const { serving: old, starting } = state.slots[at] ?? {};
  if (starting === undefined || state.phase === 'stopping') return { state, effects: [] };
  const serving = { id, generation: starting.generation };
  const next = withSlot({ ...state, pause: firstPause, leaving: old?.id ?? state.leaving }, at, {
    serving,
    starting: undefined,
    isTried: true,
  });
  const effects: PoolEffect[] = [
    ...(starting.mustReload ? [{ type: 'reload', id } as const] : []),
    ...(old === undefined ? [] : [{ type: 'end', id: old.id } as const]),
  ];
  return then({ state: next, effects }, continueOpening, continueRoll);
}

function onExit(state: PoolState, id: number, reason: string): PoolStep {
  if (state.phase === 'stopping') return whenAllEnded(without(state, id));
  if (id === state.leaving) return continueRoll(without(state, id));
  const at = state.slots.findIndex(({ serving, starting }) => serving?.id === id || starting?.id === id);
  const slot = state.slots[at];
  if (slot === undefined) return { state, effects: [] };
  const isFirst = state.phase === 'opening' && !state.slots.some(({ isTried }) => isTried);
  if (isFirst) return { state: { ...without(state, id), phase: 'stopping' }, effects: [{ type: 'failed' }] };
  const ended = withSlot(without(state, id), at, { isTried: true });
  const isOfRoll = slot.starting?.id === id && slot.starting.generation === state.generation;
  return then(
    { state: ended, effects: [] },
    (now) => refill(now, at, reason),
    continueOpening,
    isOfRoll ? giveUpRoll : continueRoll,
  );
}

/** Replaces an ended worker after a pause, unless its slot already has another one. */
function refill(state: PoolState, at: number, reason: string): PoolStep {
  if (!isEmpty(state.slots[at])) return { state, effects: [] };
  return {
    state: { ...state, pause: Math.min(2 * state.pause, maxPause) },
    effects: [
      { type: 'error', message: `a worker exited (${reason}) and is being replaced` },
      { type: 'wait', slot: at, ms: state.pause },
    ],
  };
}

/** The others start once the first worker serves: if it cannot, neither could they. */
function continueOpening(state: PoolState): PoolStep {
  if (state.phase !== 'opening') return { state, effects: [] };
  if (state.slots.every(({ isTried }) => isTried))
    return { state: { ...state, phase: 'open' }, effects: [{ type: 'opened' }] };
  const next = state.slots.findIndex((slot) => !slot.isTried && isEmpty(slot));
  return next === -1 ? { state, effects: [] } : then(startIn(state, next), continueOpening);
}

/** Replaces the next worker older than the roll, once the previous one has been replaced and has ended. */
function continueRoll(state: PoolState): PoolStep {
  const { slots, generation, isRolling, leaving } = state;
  const isBusy = leaving !== undefined || slots.some(({ serving, starting }) => serving && starting);
  if (!isRolling || isBusy) return { state, effects: [] };
  const next = slots.findIndex(
    ({ serving, starting }) => serving && !starting && serving.generation < generation,
  );
  if (next !== -1) return startIn(state, next);
  if (!slots.every(({ serving }) => serving?.generation === generation)) return { state, effects: [] };
  return {
    state: { ...state, isRolling: false },
    effects: [{ type: 'info', message: 'all workers were replaced' }],
  };
}

/** The program that is installed now does not start, so the serving workers must stay. */
function giveUpRoll(state: PoolState): PoolStep {
  if (!state.isRolling) return { state, effects: [] };
  const message =
    'workers were not replaced: a new worker exited before it was ready; the old ones keep serving';
  return { state: { ...state, isRolling: false }, effects: [{ type: 'error', message }] };
}

function reload(state: PoolState): PoolStep {
  const slots = state.slots.map((slot) =>
    slot.starting === undefined ? slot : { ...slot, starting: { ...slot.starting, mustReload: true } },
  );
  const serving = state.phase === 'stopping' ? [] : slots.flatMap((slot) => slot.serving ?? []);
  return { state: { ...state, slots }, effects: serving.map(({ id }) => ({ type: 'reload', id })) };
}

function stop(state: PoolState): PoolStep {
  const effects = workersOf(state).map((id) => ({ type: 'end', id }) as const);
  return then({ state: { ...state, phase: 'stopping' }, effects }, whenAllEnded);
}

function whenAllEnded(state: PoolState): PoolStep {
  return { state, effects: workersOf(state).length === 0 ? [{ type: 'stopped' }] : [] };
}

function without(state: PoolState, id: number): PoolState {
  const slots = state.slots.map(({ serving, starting, isTried }) => ({
    serving: serving?.id === id ? undefined : serving,
    starting: starting?.id === id ? undefined : starting,
    isTried,
  }));
  return { ...state, slots, leaving: state.leaving === id ? undefined : state.leaving };
}

function withSlot(state: PoolState, at: number, change: Partial<Slot>): PoolState {
  return {
    ...state,
    slots: state.slots.map((slot, index) => (index === at ? { ...slot, ...change } : slot)),
  };
}

function isEmpty(slot: Slot | undefined): boolean {
  return slot !== undefined && slot.serving === undefined && slot.starting === undefined;
}

/** Applies further steps, and collects the effects of all. */
function then(first: PoolStep, ...steps: readonly ((state: PoolState) => PoolStep)[]): PoolStep {
  return steps.reduce<PoolStep>(({ state, effects }, step) => {
    const next = step(state);
    return { state: next.state, effects: [...effects, ...next.effects] };
  }, first);
}
