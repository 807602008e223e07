// A whole bot: it accepts every challenge to Fourfold, plays moves at random, and plays again. docs/bots.md explains it.
//   MANIFOLD_TOKEN=mfd_… node docs/bot.mjs http://127.0.0.1:4000
// Node 22 or later, and nothing else; Node 20 with --experimental-websocket.

const server = process.argv[2] ?? 'http://127.0.0.1:4000';
const headers = { authorization: `Bearer ${process.env.MANIFOLD_TOKEN}` };
/** So long after its end somebody may still want a rematch. */
const STAY_MS = 60_000;

/** Which color is ours in the games that are watched. */
const games = new Map();
let socket = null;
let pause = 1_000;
let sent = 0;

/** Asks the REST API. What is refused is written down, and answered by null. */
async function rest(method, path) {
  const response = await fetch(`${server}/api/v1${path}`, { method, headers });
  const body = response.status === 204 ? {} : await response.json();
  if (response.ok) return body;
  console.error(`${method} ${path}: ${body.code}. ${body.detail}`);
  return null;
}

/** Sends a command. Its id is new, after a restart too: the same id would mean the same command. */
function send(t, more) {
  if (socket.readyState !== WebSocket.OPEN) return;
  socket.send(JSON.stringify({ t, id: `${Date.now().toString(36)}-${++sent}`, ...more }));
}

/** Without `seen` the answer is a snapshot, which says all that there is to know. */
const watch = (game) => send('watch', { game });

function leave(game) {
  send('unwatch', { game });
  games.delete(game);
}

/** Accepts a challenge to a game whose rules this bot knows. */
async function answer({ id, variant }) {
  const act = variant.startsWith('fourfold') ? 'accept' : 'decline';
  const seat = await rest('POST', `/challenges/${id}/${act}`);
  if (seat?.game) watch(seat.game);
}

/** Moves in the position after `ply` moves, where one can: `legal` lists what may be played. */
function move(game, ply, legal) {
  if (legal.length) send('move', { game, ply, move: legal[Math.floor(Math.random() * legal.length)] });
}

/** Whose turn it is stands in the second word of a FEN. */
const isTurnOf = (color, fen) => fen.split(' ')[1] === color?.[0];

/** What happens in a game. */
function follow({ game, kind, seq, by, ply, fen, legal, next }) {
  const you = games.get(game);
  const theirs = by !== you;
  switch (kind) {
    case 'move': if (isTurnOf(you, fen)) move(game, ply + 1, legal); break;
    case 'takeback_offered': if (theirs) send('accept_takeback', { game, offer: seq }); break;
    // Whoever has asked for it is to move; `by` has agreed.
    case 'taken_back': if (theirs) move(game, ply, legal); break;
    case 'draw_offered': if (theirs) send('decline_draw', { game, offer: seq }); break;
    case 'ended': setTimeout(leave, STAY_MS, game); break;
    case 'rematch_offered': if (theirs) send('accept_rematch', { game, offer: seq }); break;
    case 'rematched': watch(next); break;
  }
}

/** What the server says, by its `t`. */
const hear = {
  async hello({ player }) {
    console.log(`I am ${player.name}, a ${player.kind}.`);
    pause = 1_000;
    games.clear();
    const [session, open] = await Promise.all([rest('GET', '/session'), rest('GET', '/challenges')]);
    for (const game of session?.playing ?? []) watch(game);
    for (const challenge of open?.received ?? []) answer(challenge);
  },
  challenged: ({ challenge }) => answer(challenge),
  paired: ({ game }) => watch(game),
  snapshot({ you, legal, game: { id, start_fen: start, moves, outcome } }) {
    games.set(id, you);
    if (!outcome && isTurnOf(you, moves.at(-1)?.fen ?? start)) move(id, moves.length, legal);
  },
  event: (event) => follow(event),
  refused: ({ code, detail }) => console.error(`${code}: ${detail}`),
};

function connect() {
  socket = new WebSocket(`${server.replace(/^http/, 'ws')}/api/v1/socket`, { headers });
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    hear[message.t]?.(message);
  };
  // It comes also where the socket never opened. The pause grows until the server has said hello.
  socket.onclose = () => setTimeout(connect, (pause = Math.min(2 * pause, 60_000)));
}

connect();
