BEGIN TRANSACTION;
CREATE TABLE counter (                   -- the highest numbers ever given
  only INTEGER PRIMARY KEY CHECK (only = 1),
  last_session INTEGER NOT NULL,
  last_table INTEGER NOT NULL
);
INSERT INTO "counter" VALUES(1,6,2);
CREATE TABLE deal (                      -- of the sets in progress; each holds every hand
  at_table INTEGER NOT NULL,
  set_number INTEGER NOT NULL,
  number INTEGER NOT NULL,
  pack TEXT NOT NULL,
  salt BLOB NOT NULL,
  actions TEXT NOT NULL,
  seq INTEGER NOT NULL,
  turn_seq INTEGER NOT NULL,
  checksum INTEGER NOT NULL,             -- of the columns before it, in each of these tables
  PRIMARY KEY (at_table, set_number, number)
) WITHOUT ROWID;
INSERT INTO "deal" VALUES(1,1,1,'6C7C7H9C9H9S4D3C2SKCJS4SQD7S3STD2C9DKDAD6SJCQC3HQS2HKS8STSTC8H8DKH3D5H4C2D6D7DJHQH8C4HTH6H5C5SACJD5DASAH',X'9A2F19F8565BF7810657C09F9098A4A876888C51DE844301F776198DEDDA5C52','c16 g tD 6H 2H 4H 3H KH JC 8H TH JD 9D KD',25,25,292048557);
CREATE TABLE finished_set (
  number INTEGER PRIMARY KEY,
  finished_at INTEGER NOT NULL,          -- seconds since 1970, UTC
  table_name TEXT NOT NULL,
  south TEXT NOT NULL, east TEXT NOT NULL, north TEXT NOT NULL, west TEXT NOT NULL,
  south_north INTEGER NOT NULL, east_west INTEGER NOT NULL,   -- final scores
  winner INTEGER NOT NULL,               -- 0 South and North, 1 East and West
  transcript TEXT NOT NULL               -- docs/notation.md
);
CREATE TABLE open_table (
  number INTEGER PRIMARY KEY,
  state TEXT NOT NULL,                   -- JSON
  checksum INTEGER NOT NULL
);
INSERT INTO "open_table" VALUES(1,'{"number":1,"name":"Majlis","rules":{"auction":"single","four_passes":"same_dealer","thirteen":"game_call","target":31,"dealing":"one_by_one","partner_hints":false,"lead_tarneeb":false},"turn_seconds":30,"can_watch":true,"password":null,"opened_by":1,"seats":[{"type":"player","session":1,"name":"South","is_ready":true,"is_away":false},{"type":"player","session":2,"name":"East","is_ready":true,"is_away":false},{"type":"player","session":3,"name":"North","is_ready":true,"is_away":false},{"type":"player","session":4,"name":"West","is_ready":true,"is_away":true}],"spectators":[[5,"Watcher"]],"chat":[{"name":"South","text":"yalla","seat":0}],"set_number":1,"first_dealer":1,"since":{"1":1,"2":2,"3":3,"4":4,"5":7},"seen":{"1":0,"2":1,"3":2,"4":3},"seq":27,"turn_seq":25}',2345922359);
INSERT INTO "open_table" VALUES(2,'{"number":2,"name":"Solo","rules":{"auction":"single","four_passes":"same_dealer","thirteen":"game_call","target":31,"dealing":"one_by_one","partner_hints":false,"lead_tarneeb":false},"turn_seconds":0,"can_watch":true,"password":"open sesame","opened_by":6,"seats":[{"type":"player","session":6,"name":"Nour","is_ready":true,"is_away":false},{"type":"bot","level":"steady"},null,null],"spectators":[],"chat":[],"set_number":0,"first_dealer":null,"since":{"6":1},"seen":{},"seq":2,"turn_seq":0}',3466344171);
CREATE TABLE reply (                     -- the latest of each session, in a ring
  session INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  request INTEGER NOT NULL,
  answer TEXT NOT NULL,                  -- JSON
  checksum INTEGER NOT NULL,
  PRIMARY KEY (session, slot)
) WITHOUT ROWID;
INSERT INTO "reply" VALUES(1,0,1,'{"type":"opened","id":1,"table":1}',535711200);
INSERT INTO "reply" VALUES(1,1,2,'{"type":"joined","id":2,"table":1,"seat":0}',588858112);
INSERT INTO "reply" VALUES(1,2,3,'{"type":"done","id":3,"seq":9}',1586783270);
INSERT INTO "reply" VALUES(1,3,4,'{"type":"done","id":4,"seq":15}',899556931);
INSERT INTO "reply" VALUES(1,4,5,'{"type":"done","id":5,"seq":20}',3803943276);
INSERT INTO "reply" VALUES(1,5,6,'{"type":"done","id":6,"seq":25}',2643108023);
INSERT INTO "reply" VALUES(1,6,7,'{"type":"done","id":7,"seq":26}',4175786315);
INSERT INTO "reply" VALUES(2,0,1,'{"type":"joined","id":1,"table":1,"seat":1}',2819703569);
INSERT INTO "reply" VALUES(2,1,2,'{"type":"done","id":2,"seq":17}',3346822679);
INSERT INTO "reply" VALUES(2,2,3,'{"type":"done","id":3,"seq":22}',3235414759);
INSERT INTO "reply" VALUES(3,0,1,'{"type":"joined","id":1,"table":1,"seat":2}',2561105903);
INSERT INTO "reply" VALUES(3,1,2,'{"type":"done","id":2,"seq":11}',2768559920);
INSERT INTO "reply" VALUES(3,2,3,'{"type":"done","id":3,"seq":12}',3228241612);
INSERT INTO "reply" VALUES(3,3,4,'{"type":"done","id":4,"seq":13}',2664600681);
INSERT INTO "reply" VALUES(3,4,5,'{"type":"done","id":5,"seq":18}',4001902245);
INSERT INTO "reply" VALUES(3,5,6,'{"type":"done","id":6,"seq":23}',918950557);
INSERT INTO "reply" VALUES(4,0,1,'{"type":"joined","id":1,"table":1,"seat":3}',3457229306);
INSERT INTO "reply" VALUES(4,1,2,'{"type":"done","id":2,"seq":14}',2630936994);
INSERT INTO "reply" VALUES(4,2,3,'{"type":"done","id":3,"seq":19}',425742189);
INSERT INTO "reply" VALUES(4,3,4,'{"type":"done","id":4,"seq":24}',1252987040);
INSERT INTO "reply" VALUES(5,0,1,'{"type":"joined","id":1,"table":1}',3296362823);
INSERT INTO "reply" VALUES(6,0,1,'{"type":"opened","id":1,"table":2}',2840995510);
INSERT INTO "reply" VALUES(6,1,2,'{"type":"joined","id":2,"table":2,"seat":0}',1893283518);
INSERT INTO "reply" VALUES(6,2,3,'{"type":"done","id":3,"seq":2}',1490776367);
CREATE TABLE server (id TEXT NOT NULL);
INSERT INTO "server" VALUES('2588c32f1ad7a2e9');
CREATE TABLE session (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  token_hash BLOB NOT NULL,              -- SHA-256; the token itself is nowhere
  previous_hash BLOB,
  at_table INTEGER,
  checksum INTEGER NOT NULL
);
INSERT INTO "session" VALUES(1,'South',X'5F546B571BAD1933679BE8C0B0C71C909BAB4D38083909834163739FEDE75A1B',NULL,1,2242501194);
INSERT INTO "session" VALUES(2,'East',X'EABA833337DE55E78D6CE68575ABA2F79289FEA2E64D1D7A6155A5991D494E2B',NULL,1,3481846359);
INSERT INTO "session" VALUES(3,'North',X'812DA6AEEAA9FD13F24EDBA4C7CA8152980396100ABB8C51048F6E167B72B172',NULL,1,3213357328);
INSERT INTO "session" VALUES(4,'West',X'9A3C8CE30E6A4BE092C2ACAA48284AEAEB9448ED258F1D24A7E671E9CC59EAC8',NULL,1,776310715);
INSERT INTO "session" VALUES(5,'Watcher',X'FBA2A14B328F6121E04594783537563C2475580DBCCAA49645C5C1A8C4B8D30D',NULL,1,2203715649);
INSERT INTO "session" VALUES(6,'Nour',X'68527A790761F9A09E9381E27744B483639381316B6041C9059EB93B038541FD',NULL,2,3950800681);
COMMIT;
PRAGMA user_version=2;
