// Play one set of Tarneeb over the wire; everything here follows from docs/protocol.md.
import net from "node:net";
import { parseArgs } from "node:util";
import { decode, encode } from "@msgpack/msgpack";

const USAGE = "usage: node client.mjs HOST:PORT [--name NAME] [--no-bots]";
const [SEATS, RANKS] = [["South", "East", "North", "West"], "23456789TJQKA"];
const NO_REQUESTS = ["hello", "ping", "pong", "goodbye"];
const LOOK_AGAIN = ["no_such_table", "rate_limited", "seat_taken", "table_full"]; // too late, or too fast
const CLOCK_WAS_FASTER = ["stale", "not_your_turn"]; // the next turn brings its own prompt

// The session, which outlives its connections.
const session = { token: null, seq: null, lastId: 0, hand: [], playing: false, over: false };
let resumesLeft = 1;
// The connection.
let stream, received, sentAt, heardAt, linkFault, pingSeconds, deadSeconds, retrySeconds;

// Text may come from the wire: a terminal gets nothing of it that it would obey, or not show.
const clean = (text) => String(text).replace(/[\p{C}\p{Zl}\p{Zp}\p{DI}\u2800]/gu, "?");
const tell = (text) => console.log(clean(text));

function fail(text) {
  console.error(clean(text));
  process.exit(1);
}

function send(message) {
  if (session.over) return; // nothing may follow a goodbye
  if (!NO_REQUESTS.includes(message.type)) message.id = ++session.lastId;
  const payload = encode(message);
  const header = Buffer.alloc(4);
  header.writeUInt32BE(payload.length);
  stream.write(Buffer.concat([header, payload]));
  sentAt = Date.now();
}

function receive(bytes) {
  heardAt = Date.now();
  received = Buffer.concat([received, bytes]);
  while (received.length >= 4 && !session.over) {
    const length = received.readUInt32BE(0);
    if (length === 0 || length > 65536) fail(`the server sent a frame of ${length} bytes; 1 to 65536 are allowed`);
    if (received.length < 4 + length) return;
    const payload = received.subarray(4, 4 + length);
    received = received.subarray(4 + length);
    try {
      const message = decode(payload);
      if (message.type !== "error") session.seq = message.seq ?? session.seq; // also that of an event unknown here
      if (Object.hasOwn(answers, message.type)) answers[message.type](message);
    } catch (fault) {
      fail(`the server sent what is not in version 1 of the protocol: ${fault.message}`);
    }
  }
}

function worth(action) {
  if (action.type === "call") return action.tricks === 7 ? 1 : action.call === "pass" ? 0 : -1; // no more than seven
  if (action.type === "trump") return session.hand.filter((card) => card[1] === action.suit).length;
  return action.type === "play" ? RANKS.indexOf(action.card[0]) : 0;
}

function end(line) {
  tell(line);
  send({ type: "goodbye", code: "left" });
  session.over = true;
  stream.end(); // only this half: what the server still sends is read, so that nothing destroys the goodbye
}

const answers = {
  welcome(message) {
    session.token = message.token;
    pingSeconds = message.ping_seconds;
    deadSeconds = message.dead_seconds;
    tell(`${message.resumed ? "back as" : "called"} ${message.name} on ${message.server_name}`);
    if (message.table == null) send({ type: "list_tables" });
  },
  refused: (message) => fail(message.message),
  goodbye(message) {
    if (!message.resumable) fail(message.message || message.code);
    retrySeconds = message.retry_seconds ?? 0;
  },
  table_closed: (message) => fail(`the table was closed: ${message.reason}`),
  ping: (message) => send({ type: "pong", nonce: message.nonce ?? 0 }),
  tables(message) {
    const free = message.tables.find((table) => table.seats.includes(null) && !table.locked);
    if (free) send({ type: "join", table: free.table });
    else if (message.more) send({ type: "list_tables", after: message.tables.at(-1).table });
    else send({ type: "open_table", name: "A table for Node" });
  },
  opened: (message) => send({ type: "join", table: message.table }),
  snapshot(message) {
    if (session.playing && message.state !== "playing") return end("the set ended while the link was down");
    session.playing = message.state === "playing";
    session.hand = message.hand;
    const empty = message.seats.filter((seat) => seat === null);
    tell(`table ${message.table}, ${SEATS[message.seat]}; ${empty.length} seats are empty`);
    if (!options["no-bots"]) empty.forEach(() => send({ type: "add_bot" }));
  },
  player_seated: (message) => tell(`${message.name} sits down, ${SEATS[message.seat]}`),
  bot_seated: (message) => tell(`${message.name}, a bot, sits down, ${SEATS[message.seat]}`),
  set_started: () => (session.playing = true),
  hands_dealt: (message) => (session.hand = message.hand),
  prompt({ actions, seq }) {
    const best = actions.reduce((one, other) => (worth(other) > worth(one) ? other : one));
    send({ type: "act", action: best, seq });
  },
  deal_scored({ score }) {
    const contract = `${SEATS[score.declarer]} ${score.made ? "made" : "failed"} ${score.bid} in ${score.trump}`;
    tell(`deal ${score.number}: ${contract}, tricks ${score.taken.join(" : ")}, score ${score.scores.join(" : ")}`);
  },
  set_won: (message) => end(`team ${message.team} won the set, ${message.scores.join(" : ")}`),
  error(message) {
    if (LOOK_AGAIN.includes(message.code)) {
      setTimeout(() => send({ type: message.seq == null ? "list_tables" : "sync" }), 1000);
    } else if (!CLOCK_WAS_FASTER.includes(message.code)) fail(`${message.code}: ${message.message}`);
  },
};

function connect() {
  [received, linkFault, pingSeconds, deadSeconds, retrySeconds] = [Buffer.alloc(0), "it was closed", 15, 45, 0];
  sentAt = heardAt = Date.now();
  stream = net.connect({ host: address[1], port: Number(address[2]) });
  stream.on("data", receive);
  stream.on("error", (fault) => (linkFault = fault.message));
  stream.on("close", () => {
    if (session.over) process.exit(0);
    if (session.token === null || resumesLeft-- === 0) fail(`no connection to ${positionals[0]}: ${linkFault}`);
    tell(`the connection is lost (${linkFault}), and is resumed`);
    setTimeout(connect, 1000 * (retrySeconds + Math.random())); // not at the same moment as everybody else
  });
  // Without a seq the answer is a snapshot, which tells what became of requests before the set began.
  const resume = { resume: session.token, seq: session.playing ? session.seq : null };
  send({ type: "hello", protocol_min: 1, protocol_max: 1, client: "node 1", name: options.name, ...resume });
}

let options, positionals;
try {
  const known = { name: { type: "string", default: "Node" }, "no-bots": { type: "boolean", default: false } };
  ({ values: options, positionals } = parseArgs({ options: known, allowPositionals: true }));
} catch (fault) {
  fail(`${fault.message}\n${USAGE}`);
}
const address = positionals.length === 1 && positionals[0].match(/^\[?([^[\]]+)\]?:(\d{1,5})$/);
if (!address || Number(address[2]) > 65535) fail(USAGE);
connect();
setInterval(() => {
  if (Date.now() - heardAt > deadSeconds * 1000) stream.destroy(new Error("nothing was heard"));
  else if (Date.now() - sentAt >= pingSeconds * 1000) send({ type: "ping" });
}, 1000);
