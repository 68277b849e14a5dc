BEGIN TRANSACTION;
CREATE TABLE ban (
  number INTEGER PRIMARY KEY,
  name TEXT,                             -- or the network, never both
  network TEXT,
  reason TEXT NOT NULL,
  until INTEGER,                         -- seconds since 1970, UTC; NULL for ever
  checksum INTEGER NOT NULL
);
CREATE TABLE counter (                   -- the highest numbers ever given
  only INTEGER PRIMARY KEY CHECK (only = 1),
  last_session INTEGER NOT NULL,
  last_table INTEGER NOT NULL
);
INSERT INTO "counter" VALUES(1,1,1);
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
INSERT INTO "deal" VALUES(1,2,1,'4DASKH9S6D2H8DTSQCTH2C3C9D5CQS8SJDAD3HJC6S9H5HQDKS3D7CTD6HAH5DKC8C2DKD7D5S4H2SJHAC4S9CTC7H3S4C7SJSQH6C8H',X'D2169739D5AC6804306B7372FB8696B28CC0BDF704B8F5DED471AEF706A1DB0B','c6 7 p p 7 tH AH 3H 8H 6H 2H 5H JH 7H 3C 8C 5C 2C AC 4H 4C TC AS 2S 7S 5S AD 5D 7D 4D 2D 8D QD 6D KC',512,512,166399311);
CREATE TABLE finished_set (
  number INTEGER PRIMARY KEY,
  finished_at INTEGER NOT NULL,          -- seconds since 1970, UTC
  table_name TEXT NOT NULL,
  south TEXT NOT NULL, east TEXT NOT NULL, north TEXT NOT NULL, west TEXT NOT NULL,
  south_north INTEGER NOT NULL, east_west INTEGER NOT NULL,   -- final scores
  winner INTEGER NOT NULL,               -- 0 South and North, 1 East and West
  transcript TEXT NOT NULL               -- docs/notation.md
, at_table INTEGER, set_number INTEGER, deals INTEGER, is_open INTEGER NOT NULL DEFAULT 0);
INSERT INTO "finished_set" VALUES(1,1796071210,'Majlis','Huda','Bot Badr','Bot Dana','Bot Fares',36,17,0,'tarneeb-set/1
rules tarneeb
dealer E
south Huda
east Bot Badr
north Bot Dana
west Bot Fares
deal/1 number=1 dealer=E rules=tarneeb pack=6C7C7H9C9H9S4D3C2SKCJS4SQD7S3STD2C9DKDAD6SJCQC3HQS2HKS8STSTC8H8DKH3D5H4C2D6D7DJHQH8C4HTH6H5C5SACJD5DASAH cut=32 calls=p,7,p,p trump=C plays=5CQCAC2C,AD2D3D4D,AH6H2H4H,3C6CTC3S,JC5S4C2S,7SKS4S6S,KD8DJD5D,AS8STS9S,7DTDQD6D,QH7C5H3H,9D7HTH9H,8C8H9CQS,JHKHKCJS
points 0:9 scores 0:9
commitment 49eb23fd3cdae12d9831873d28f0c99edc1c532fbe20b8b7ff60e8c92563dbe1 salt 9a2f19f8565bf7810657c09f9098a4a876888c51de844301f776198dedda5c52
deal/1 number=2 dealer=N rules=tarneeb pack=5SJSKH3H2S7H7CAS4H5D5C9C8SAC3S6CKD8D6H6D8H9STDQHKSTHQD2HADKC8CTS3C7D2D4C4DJD9DJH6SQSAH5H9H2CJC4S7S3DTCQC cut=21 calls=7,p,p,7 trump=S plays=2S9S3S4S,KC5C4C3C,AC7C6C5S,KD3D2D6D,6SJS6HTS,2CTC9C4H,KH2H8H7H,AH3H9HTH,8CQC4D5D,5H7SQS9D,7DTDASAD,JH8S8DJC,KSJDQDQH
points 7:0 scores 7:9
commitment 12487021808dd8c759a3854c055da8cb2d1f522e98b187382c90d81ed206eb19 salt 36ef499965b24c49fb68a587a17db58348f8e74754bac628e65a72ca9bd677f0
deal/1 number=3 dealer=W rules=tarneeb pack=KHJH2S6C4H2D9S5C4C5HTCJD7HAD3HQD3C8DAC7DAHAS9H7C5DJCKD4S2C3S5STSQS2H9D3DQCTDKSQH8CTH8S6H9C8H6D4D7SJSKC6S cut=10 calls=7,p,8,p trump=C plays=2CJCKC5C,3HQHKH2H,3C2DAC6C,TC7C4C3S,9H6H4HTH,AS2S4S7S,AD6D3D5D,JS5S6SQS,AH5H9D4D,7H8H8S7D,JH9STS8C,9C8DKSJD,QCTDKDQD
points 9:0 scores 16:9
commitment 1a6b26232bff8e177662e6248d9ed34cb6950728af0f5e017291e6a388393c5d salt 73c2e27fd81859a99a9c929b254b694576ea21b6722b539febbee38ce82926f8
deal/1 number=4 dealer=S rules=tarneeb pack=QH3STD6C4S9D7CQS9STH9C3C5D6S7D5CQCKDAH9H7HTCKC2DKHJH8C7S2S2H6H3DTSQD4H8H6D4CJC8S5HKS8D3H2CAS4D5SADJSJDAC cut=15 calls=p,p,7,7 trump=C plays=7C3CQC4C,AD9D4D2D,2CTCJCAC,3D5DQD7D,KS4H5S2S,KD8D3H6D,3S6H7S9S,4S6S8C8S,9C5C5H2H,KC6C7HTH,TD8HTSJH,JD9HQHJS,AHQSKHAS
points 9:0 scores 25:9
commitment fc4ab4281e8f9897337179088e5c7ebf038b1c17e437bcb482eff92be084f1ff salt db59ef26f77b69997fbedaf7667b5bd823017e55762b8bfb5be277ba6b740eb5
deal/1 number=5 dealer=E rules=tarneeb pack=5HQCJDTS7D9S6SKH8D7HJC4C3SKC9H8CACQD4D7C9DTD5S2C6CTCKS2D3H3D5CQS2S9CJHJSTH6HKDQHAS2H4H6DADAH8H8S4S3C7S5D cut=2 calls=p,7,p,7 trump=C plays=3CJC2C6C,4D2DAD3D,AS9S5S8S,7DTDKD5D,KSTS2S9C,AH4HQH3H,QDJD6D8D,TC5C4CAC,3S2H6SJS,QS4S6H7S,KH5H7H8H,7CTHQC9H,KCJH8C9D
points 0:8 scores 25:17
commitment 717ee5c1552a9bda685ffe898ad068909e2e19f574015d76663df31669159aec salt 394bbae83997d2a92c7b87af64a8e30a6c0f362da7c40d486942da76a9a8e0ce
deal/1 number=6 dealer=N rules=tarneeb pack=6S8C5DTC2DQDJCTS3D4S4H7HKS9CJDQS6D9H2C8D6C5H4D2SAS8H5C2H5SKHQCQHTHJH7D9S7S3HJSKC6HAC9D4C7CKD8SAD3SAHTD3C cut=36 calls=8,9,p,p trump=H plays=KH4H2H6H,AH2C7HTH,AC5C3C6C,4SJSQSKS,7C8CJCKC,AD2DQD4D,8D3DKD5D,9CQC4C3S,8S2SAS3H,5H7DQH6D,9S5S8H9D,9HTDTS6S,JHJDTC7S
points 11:0 scores 36:17
commitment 014122a4c8e0fae5a57b1673c584abf8dca83048e99da699a5e78b20b440d678 salt 443e303902fd2dd12d876703ecc6e151e54900bfdea8f0f39f09b29a86c14be7
result won by south-north 36:17
',1,1,6,1);
CREATE TABLE open_table (
  number INTEGER PRIMARY KEY,
  state TEXT NOT NULL,                   -- JSON
  checksum INTEGER NOT NULL
);
INSERT INTO "open_table" VALUES(1,'{"number":1,"name":"Majlis","rules":{"auction":"single","four_passes":"same_dealer","thirteen":"game_call","target":31,"dealing":"one_by_one","partner_hints":false,"lead_tarneeb":false,"suit_bids":"none","double":false},"turn_seconds":1,"grace_seconds":120,"stand_in":"steady","can_watch":true,"password":null,"opened_by":1,"seats":[{"type":"player","session":1,"name":"Huda","is_ready":true,"is_away":false,"is_awaited":false,"has_stand_in":true},{"type":"bot","level":"steady"},{"type":"bot","level":"steady"},{"type":"bot","level":"steady"}],"spectators":[],"chat":[],"set_number":2,"first_dealer":1,"since":{"1":1},"seen":{},"seen_hands":{"Huda":0},"seq":470,"turn_seq":470,"tournament":null}',33403221);
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
INSERT INTO "reply" VALUES(1,2,3,'{"type":"done","id":3,"seq":2}',2308301607);
INSERT INTO "reply" VALUES(1,3,4,'{"type":"done","id":4,"seq":3}',1468548365);
INSERT INTO "reply" VALUES(1,4,5,'{"type":"done","id":5,"seq":6}',1548556763);
INSERT INTO "reply" VALUES(1,5,6,'{"type":"done","id":6,"seq":467}',1607498770);
CREATE TABLE server (id TEXT NOT NULL);
INSERT INTO "server" VALUES('cd00686a5575f30c');
CREATE TABLE session (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  token_hash BLOB NOT NULL,              -- SHA-256; the token itself is nowhere
  previous_hash BLOB,
  at_table INTEGER,
  checksum INTEGER NOT NULL
);
INSERT INTO "session" VALUES(1,'Huda',X'1FB95EA68EBD9918B7D4C30D79073BD447ADF194CAE4C0FCD41CCF910E0D4A93',NULL,1,1865006641);
CREATE TABLE set_seat (                  -- who sat where at the end of a finished set
  finished_set INTEGER NOT NULL,
  seat INTEGER NOT NULL,
  session INTEGER,                       -- NULL for a bot
  level TEXT,                            -- of a bot; NULL for a player
  PRIMARY KEY (finished_set, seat)
);
INSERT INTO "set_seat" VALUES(1,0,1,NULL);
INSERT INTO "set_seat" VALUES(1,1,NULL,'steady');
INSERT INTO "set_seat" VALUES(1,2,NULL,'steady');
INSERT INTO "set_seat" VALUES(1,3,NULL,'steady');
CREATE TABLE tournament (
  number INTEGER PRIMARY KEY,            -- given from the numbers of tables
  state TEXT NOT NULL,                   -- JSON
  checksum INTEGER NOT NULL
);
CREATE INDEX set_seat_session ON set_seat (session);
PRAGMA user_version=5;
COMMIT;
