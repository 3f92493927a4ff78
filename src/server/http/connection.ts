import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { limits } from '../settings/limits.ts';
import { errorReply } from './errors.ts';
import { rateLimited } from './refusals.ts';
import { type FinishedReply, finishReply } from './reply.ts';

/** Handles one request. Called once the requests before it have been answered. */
export type Start = (connection: Connection, request: IncomingMessage, response: ServerResponse) => void;

export interface Connection {
  readonly socket: Socket;
  /** The response to the latest request; undefined before the first. */
  latest: ServerResponse | undefined;
  /** Requests whose turn comes once those before them are answered. */
  readonly waiting: { readonly response: ServerResponse; start: () => void }[];
  isPaused: boolean;
  /** Whether its last answer has been chosen: further requests are ignored (RFC 9112, section 9.6). */
  isEnding: boolean;
}

export function newConnection(socket: Socket): Connection {
  return { socket, latest: undefined, waiting: [], isPaused: false, isEnding: false };
}

/** Includes connections without any request, which browsers open in advance. */
export function isIdle({ latest }: Connection): boolean {
  return latest === undefined || latest.writableFinished;
}

/** Whether the answer to a complete request has not begun yet. */
export function isAnswerDue({ latest, waiting }: Connection): boolean {
  return waiting.length > 0 || (latest?.req.complete === true && !latest.headersSent);
}

/**
 * Requests of all connections that wait. Each takes about 3 KB, and node:http may parse 2,000 of them from
 * one chunk.
 */
let waitingRequests = 0;

/** The connection is closed: forgets its waiting requests. */
export function dropWaiting({ waiting }: Connection): void {
  waitingRequests -= waiting.splice(0).length;
}

/**
 * Handles the requests of a connection one at a time, in order (pipelining, RFC 9112, section 9.3.2), and
 * only one in a turn of the event loop, so that others have theirs. While 16 wait, the connection is not
 * read. While too many wait on all connections together, those of further connections are refused at once:
 * node:http parses a whole chunk and keeps its requests until they are answered, 5 MB of tiny ones, and it
 * forgets those of a closed connection only after all others have been read.
 */
export function handleInOrder(
  connection: Connection,
  request: IncomingMessage,
  response: ServerResponse,
  start: Start,
): void {
  const { socket, latest, waiting } = connection;
  if (connection.isEnding || socket.destroyed) return;
  const canStartNow = isIdle(connection);
  connection.latest = response;
  if (canStartNow) {
    start(connection, request, response);
    return;
  }
  if (waiting.length === 0 && waitingRequests >= limits.waitingRequests) {
    response.writeHead(tooManyWaiting.status, tooManyWaiting.headers as string[]);
    response.end(tooManyWaiting.body);
    return;
  }
  waitingRequests += 1;
  waiting.push({ response, start: () => start(connection, request, response) });
  if (waiting.length === limits.pipelinedRequests) pauseReading(connection);
  if (waiting.length === 1) startAfter(connection, latest as ServerResponse);
}

const tooManyWaiting = finishReply(errorReply(rateLimited), undefined, undefined, ['Retry-After', '1']);

function startAfter(connection: Connection, before: ServerResponse): void {
  before.once('finish', () => setImmediate(startNext, connection));
}

function startNext(connection: Connection): void {
  if (isTurnLong()) {
    setImmediate(startNext, connection);
    return;
  }
  const { waiting } = connection;
  const next = waiting.shift();
  if (next === undefined) return;
  waitingRequests -= 1;
  if (waiting.length < limits.pipelinedRequests) resumeReading(connection);
  next.start();
  if (waiting.length > 0) startAfter(connection, next.response);
}

/** Milliseconds of a turn of the event loop in which waiting requests of all connections may be started. */
const turnLength = 5;
let turnBegan: number | undefined;

/** Whether waiting requests have used up this turn: those of thousands of connections would delay all others. */
function isTurnLong(): boolean {
  if (turnBegan !== undefined) return performance.now() - turnBegan > turnLength;
  turnBegan = performance.now();
  setImmediate(() => {
    turnBegan = undefined;
  });
  return false;
}

function pauseReading(connection: Connection): void {
  const { socket } = connection;
  connection.isPaused = true;
  socket.pause();
  // node:http resumes a socket after each complete request: pause again until there is room.
  socket.on('resume', pauseAgain);
  function pauseAgain(): void {
    if (!connection.isPaused) {
      socket.off('resume', pauseAgain);
      return;
    }
    socket.pause();
    // A socket that is paused while being resumed emits no event, but node:http has begun to read.
    socket.emit('pause');
  }
}

function resumeReading(connection: Connection): void {
  if (!connection.isPaused) return;
  connection.isPaused = false;
  connection.socket.resume();
}

/** Answers that are due in this turn of the event loop, the length of their bodies, and since when. */
let due: (() => void)[] = [];
let dueLength = 0;
let dueSince = 0;
/** Longer answers are written at once, so that they take little memory together. */
const maxDueLength = 64 * 1024;
/** Milliseconds that an answer waits for others: a turn with costly requests may be long. */
const maxDueTime = 2;

/**
 * Writes an answer together with those that other connections get in this turn of the event loop. Each write
 * wakes a client that sleeps, which takes the system longer than a keystroke takes us; a client that gets
 * several answers is still awake for the next.
 */
export function writeAnswer(connection: Connection, response: ServerResponse, reply: FinishedReply): void {
  due.push(() => writeNow(connection, response, reply));
  dueLength += reply.body.length;
  if (due.length === 1) {
    dueSince = performance.now();
    setImmediate(writeDue);
  }
  if (dueLength > maxDueLength || performance.now() - dueSince > maxDueTime) writeDue();
}

function writeDue(): void {
  const answers = due;
  due = [];
  dueLength = 0;
  for (const write of answers) write();
}

/** An answer to a body that is still arriving is the last one of its connection. */
function writeNow(connection: Connection, response: ServerResponse, reply: FinishedReply): void {
  if (response.destroyed) return;
  const { status, headers, body, encoding = 'utf8' } = reply;
  const isEarly = !response.req.complete;
  connection.isEnding ||= isEarly || reply.isLast === true;
  response.writeHead(
    status,
    connection.isEnding ? [...headers, 'Connection', 'close'] : (headers as string[]),
  );
  // Only now: node:http also ends a connection whose client expected "100 Continue" and did not get it.
  connection.isEnding ||= !response.shouldKeepAlive;
  if (!connection.isEnding) {
    response.end(body, encoding);
    return;
  }
  // The end of the response would close the connection at once, whatever the client still sends.
  response.write(body, encoding);
  response.flushHeaders();
  if (isEarly) endAfterBody(response);
  else closeAfter(connection.socket, '');
}

/** After an early answer, the client may send for so many milliseconds and so many bytes. */
const [maxLinger, maxDiscarded] = [2_000, 4 * 1024 * 1024];

/**
 * The end of the response closes the connection. If it were closed while the client sends, the system would
 * reset it and discard the answer (RFC 9112, section 9.6).
 */
function endAfterBody(response: ServerResponse): void {
  const { req: request } = response;
  const end = () => {
    clearTimeout(timer);
    const { socket } = request;
    if (!socket.destroyed && !isLingering(socket)) closeAfter(socket, '');
  };
  // A client that has not sent its body by then has had time to read the answer.
  const timer = setTimeout(() => response.end(), maxLinger);
  const before = request.socket.bytesRead;
  request.on('data', () => cutFlood(request.socket, before));
  request.once('close', end);
  request.once('end', end);
}

/** Bytes received on a connection by the time its last answer was written to the bare socket. */
const lingering = new WeakMap<Socket, number>();

/** Whether the connection has had its last answer. What it still sends is ignored; too much closes it. */
export function isLingering(socket: Socket): boolean {
  const before = lingering.get(socket);
  if (before === undefined) return false;
  cutFlood(socket, before);
  return true;
}

function cutFlood(socket: Socket, before: number): void {
  if (socket.bytesRead - before > maxDiscarded) socket.destroy();
}

/** Writes a last answer to the bare socket. Closes it when the client does, or after two seconds. */
export function closeAfter(socket: Socket, answer: string): void {
  lingering.set(socket, socket.bytesRead);
  socket.end(answer, () => {
    const timer = setTimeout(() => socket.destroy(), maxLinger);
    socket.once('close', () => clearTimeout(timer));
  });
}
