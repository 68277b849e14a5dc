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
INSERT INTO "counter" VALUES(1,4,1);
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
INSERT INTO "deal" VALUES(1,2,1,'TD3H6H4SJD4C3D6CJS9DKD3SQS6D8D2DTCTH4D9CJHKSKHAS4H7H7C7S9HTS5H6S2HKC5SAC5C5DJC8H7D2CQD3C9SAD8SQH8CQC2SAH',X'F146E64393B506EC121B85BB6D8589150B0AD9D5EB2DE9F8B930CCC77181F18B','c51 g tS AS QS KS 8S 7S JS TS 5S 9S TH 2S 6S JH 7H KH AH 4S 9H 3H 6H 3S 4H AD 5H QH 2H 9D KD 8H JD',1224,1224,953894284);
CREATE TABLE finished_set (
  number INTEGER PRIMARY KEY,
  finished_at INTEGER NOT NULL,          -- seconds since 1970, UTC
  table_name TEXT NOT NULL,
  south TEXT NOT NULL, east TEXT NOT NULL, north TEXT NOT NULL, west TEXT NOT NULL,
  south_north INTEGER NOT NULL, east_west INTEGER NOT NULL,   -- final scores
  winner INTEGER NOT NULL,               -- 0 South and North, 1 East and West
  transcript TEXT NOT NULL               -- docs/notation.md
, at_table INTEGER, set_number INTEGER, deals INTEGER, is_open INTEGER NOT NULL DEFAULT 0);
INSERT INTO "finished_set" VALUES(1,1796071111,'Majlis','Nour','Rami','Layla','Sami',-38,-51,0,'tarneeb-set/1
rules tarneeb
dealer S
south Nour
east Rami
north Layla
west Sami
deal/1 number=1 dealer=S rules=tarneeb pack=QH6H8CAD8D2D7HKS4HKH8H9SJDTDKDJC5D6D6STCTH5S5H3CTS7C3S9D4DASAC4S7D4CJH2H5C6CKC3H2SJSQD9C2CAHQC7SQS8S9H3D cut=51 calls=g trump=S plays=KSQSAS6S,JS3S9STS,8SJH7S2S,5S9H4SQH,AH8H3HTH,KH7H2H4H,6H5HADJD,TDKD9D8D,QD3D7D6D,ACJC5C7C,KCTC2C6C,QC9C5D4C,8C3C4D2D
points 6:-13 scores 6:-13
commitment 0f1487b2a69aed092ad974f629e74e47e6abe5c9659f6a9369e5dab68a68c145 salt c10b6cda0cc316e79cba6f97f3bf1c369392d17f1ab10856fb7bae95bc3c0790
deal/1 number=2 dealer=E rules=tarneeb pack=8C5D9DKH6D7D4H5H5CQC9S6C2S9HKDTS7HJS8H2DQSKSQH4CJCKC5S3S4D6H9CAH3D8S6S7SACTHJH3HTD3CQD8DJDADASTC2H2C7C4S cut=51 calls=g trump=S plays=TSQSKSAS,9S7S2SJS,8S6S4S7H,THQHAH2H,3SJD9H5S,JHKHTD6H,5H6DAD8H,4H3H4D7D,KD8D3D5D,QD2DACKC,9DTCJCQC,9C6C8C3C,7C4C5C2C
points -13:9 scores -7:-4
commitment c966e83b6e87fcd3de247bc93d0474887205119cf78f96d50883987875cb3c31 salt a5eeee89d609ad4c597ea60c55a9243587226671f22bd81e7ead37c191f90664
deal/1 number=3 dealer=N rules=tarneeb pack=THACKD6HQS8H5C3C4D5STS2HKHJD4STDJH7H7C8C9D7D6C3HTCKS4H3D6DAHAS2DQHAD9HQCQD8S3S5D9S5H2C6S7SJC4C9CKCJS2S8D cut=51 calls=g trump=S plays=6SQSKSAS,TS6H9SJS,8S4S3H7S,5S3S2HKH,AH9HTDQH,8H4H8DJH,TH7H2S5D,KD3DQDAD,5H7C2D9D,JD6CQC6D,7D5C9C4D,AC4C8CKC,JC2C3CTC
points 3:-13 scores -4:-17
commitment afa9e6e6ffe815b5c342f22e01c1d29a1a26d14d6025380b555e2a25867e1a0d salt 20a8bd908345e2c64f3d51b1b63495733171f467025e6df7d8ec49555c9cdf1d
deal/1 number=4 dealer=W rules=tarneeb pack=KCQSAS4C8D4SAH4DJC3H8SKD6C5HTCJSKH6S3C7C7H6D9HQD5D7D2H4H9S5CJHJDTSTD2DAC2S3S9C3DQHTH5S8C8HKS9D7SAD6HQC2C cut=51 calls=g trump=S plays=JSTSKSAS,8S7S9SQS,6S5S4H2S,4SAHKDKH,3SJHQDQH,TH9HJD8H,6H2H4D7H,ADTD9D3D,8D7D2DAC,5D6DQC8C,5HTC7CKC,3H9C4CJC,5C3C2C6C
points -13:5 scores -17:-12
commitment 435ae2b8735ee064d99a2fc3e55fb6f5a9f7eb40dd0351462a16478953021aca salt c493bdd30b4c9e2dafd91b0ffbea4c0aa22450bd7c6ecebf7f2b844a28a1987f
deal/1 number=5 dealer=S rules=tarneeb pack=4S2CQS7C5D2S5SQCAH8CTD3S6H7S6CASTC9H9SJS3HKCQH3D7DTH4D5H2D9D9C4CADKS7HAC6DQD3C8S4HTS8DKH6SJDKD8HJC2H5CJH cut=51 calls=g trump=S plays=AS6SKSQS,JS4STS9S,8SAH7S5S,3S6H2SQH,KH4HTH7H,JH3H9HKD,8HAD2HTD,5H7DQD8D,3D6DJD4D,9D9CAC5D,KC6CQCJC,8C5C7CTC,2D2C3C4C
points 2:-13 scores -15:-25
commitment a32a6356db326658a933027b436fb26a848ff6970e1eb2adbf865ce0e04c043a salt ae4bd28fea4b3fd0870cbd30eff7bcacd38460a11e9a5772b05c7b316ef797f0
deal/1 number=6 dealer=E rules=tarneeb pack=5SJC4D7SQH2DAC9H6C6SAS5C5HAD7HTHAH8D6D3H7DQDTD3STC4H3CKCQS8HTS3DJSJD9S4SJH2C4C7CKD9C6H8SKS2S2H5D9D8CKHQC cut=51 calls=g trump=S plays=8SKS6SAS,TS7SQS2S,JS8H9S4S,5S4HKH3S,AHAD7HTH,QHQD6H9H,JHJD2H3H,5H8DTD5D,KD2D6D3D,9DJC4DKC,7D9CACQC,TC8C4C7C,6C2C3C5C
points -13:13 scores -28:-12
commitment 6e5707cfc24176d098fdb8886c41a4c4851833ff0981a094bce2120f8a19e155 salt b5f297ad7d84c544f6743b996af65e6617558087eaa2e64b6ed25384ca207b9c
deal/1 number=7 dealer=N rules=tarneeb pack=7H2D4D7D6HTCQC2C6D3S7SQSQHAH5CKDTDACAS3DTSJH5D5SKCAD8D5H9H8CJDTHQD7CKS8H6C3C3H4C6S2HKH2S8S9S4SJC9C4HJS9D cut=51 calls=g trump=S plays=QSTS9SAS,KS5S8S3S,JS2S6SAH,7STHQHJH,4S8H9H4H,KH5H7H2H,3HKD6HAD,QD2DJD9D,TDAC8D7D,6DTC5D3D,KC8CQCJC,9C7C5C4C,6C3C4D2C
points 13:-13 scores -15:-25
commitment 2b9355ee86510f005b8adf25e34d81a66b47ff619675b23d40f29185db7d928f salt b2dbdbdbb2789f9ab294dda362190b52d139c28df4ca6f3444a4fe41814b4b3e
deal/1 number=8 dealer=W rules=tarneeb pack=2H3S8CKHASQS5C5S9H3C6H2C5H8S5DJCACAD2SKC2DJD7H9C4STH7DJH8DQH9D6DTD6S8H3DKDJSQCKSTSQD6C7CTCAH7S4D3H4C4H9S cut=51 calls=g trump=S plays=KSASQS7S,TSJS2S9S,8S8H5S4S,6S7HKH9H,3S6HJH5H,AH4H6D3H,QH9D4D2H,TH7D3DKD,AD5DKCTD,QDQCJC8D,JD8C9C2D,4C6C7CAC,TC3C5C2C
points -13:3 scores -28:-22
commitment cf0fcadd689459c6e327327760f8631955d6d97b7c3345f4673f67fd5b9fcde9 salt 6f5eaee648ca77f65038a53129f6eb6fbaa6781fbef2c56673fa4be0ce5a6fcc
deal/1 number=9 dealer=S rules=tarneeb pack=AH5C7HQC4H8SACJCTDTH5D3C9C8HJH3H9S5S4D9DTSADAS7DKDKS3D4S2D7C5H4CJS7SKH2S6S6D2C8CQDQHKCQS9H2HTCJD8D3S6H6C cut=51 calls=g trump=S plays=QSJSKSAS,KH3HAHQH,TS8SJH4S,9S7S7H2S,6S5S6HJD,9HTH5H9D,3S5D7D4H,8H4DQCKD,2H3DJCQD,ADAC8CTD,6DKC6C8D,2D7CTC4C,9C5C2C3C
points 8:-13 scores -20:-35
commitment f6dff912c6ccb324a3fc3f4645cdd442f08d8a2055bf08e70c0f6721bc468ee0 salt 976eb116115959acc89c853593ee3d80d6faa54942c43496ece865e1585570c9
deal/1 number=10 dealer=E rules=tarneeb pack=2SASAHTD3SJC4S8SKC2H8C4HTSKDAC9S7H3H3C9C5C5H6H2DQD2C8DJDTCKHTH6C3D6SQS8H9D5D7SQC7CJS7D9H6DQHJHAD4D4C5SKS cut=51 calls=g trump=S plays=KSTSASQS,JS7S9S3S,6S5S8S2S,9H7HKHAH,4S8HQDQH,JH4H9D5H,THAD6D3H,6HJD4D2H,8DTD3DKD,5D7D2DKC,ACQCTCJC,8C9C7C4C,6C5C2C3C
points -13:7 scores -33:-28
commitment 381c7fde1a685eb6bed4c7d7faed10c843e2e1f4e7368d5bb23c578658c3fb88 salt 28f43ccb2e4fad5006ff47ac1c883ebaa327d74530a3002957fc95dd79bb7a91
deal/1 number=11 dealer=N rules=tarneeb pack=8C4CKCAD9C4D3D3H7DQD7S8S2DQH9DJC5H5CTCAHTH8H3SKH6H7HJH7C2S9H5D6D4HAS2CJD6C6SAC8D2H5STDKDQC3CQS4STS9SJSKS cut=51 calls=g trump=S plays=KSTSASQS,9SJS8S2S,7S4STH6S,3SAH6H5S,QHJHKH5H,3H4H9HTD,8H9DAD2H,7H5DKD7D,QD3DJD2D,4DAC8DQC,6D9C5CKC,JC8C4CTC,7C6C3C2C
points 2:-13 scores -31:-41
commitment e2d2812272a3f6ec0189b3042a5a23fbd4c45e532ab2c25ccbf7635486ce4347 salt 419aa68b342453a038eb39b512ca867e23d0bf1d29f0f174529cd3b124f8d4a4
deal/1 number=12 dealer=W rules=tarneeb pack=9CACASQDKD8C4H7HAH8D3DTC2S6C7DTS2H2C7C5CQSJH8H7S4C9SKS8S3CJDQC9H4S6HJS5S5D5HJC3SKCTHTD9DADKH6S6DQH4D2D3H cut=51 calls=g trump=S plays=TSQS9SAS,KS8S4SKH,JS7S2SJH,6S5SAHTH,8H9HQH6H,2H5H4H7H,3SADJDTD,3HKD8D7D,QD5D4D3D,9DKCAC2D,6D9C8CQC,TC4C6CJC,7C5C3C2C
points -13:7 scores -44:-34
commitment de975d99427a76a19b6aef8dc2d4fdb8e22917c4caf7815ef623461648d14310 salt a072b932e09fea98378e28fef69a80d84a459bede0d4d2bf9c5dbc259d395125
deal/1 number=13 dealer=S rules=tarneeb pack=5H9H2S8S7D5D5CKDTCKC9S4H8D3C6HQH3D7C8CTS4CTD7SQD7H8H4S9CJCTH6CAC2DAH6SJD2HKH3HQSJHASJS5S2CAD4D9D3SKSQC6D cut=51 calls=g trump=S plays=QS3SASJS,KS9STSJH,AH6HQH7H,KH3H4H5H,TH7S8S2H,5S8D9H6S,4SKD7D8H,2SQD3DAD,4DJD2DTD,9DJC5DQC,6DTCKC8C,AC4C7C6C,9C2C3C5C
points 3:-13 scores -41:-47
commitment 62f7b7e753d329ff4b220c574f35202b3042faae40cc1ca06acb543857806e7b salt 438d851633412e1bd33c4f534e9dee8e53626b96b514c98905deb1a20e03170d
deal/1 number=14 dealer=E rules=tarneeb pack=ADTH4DTS6STCJHAH7H9DKS6D5D9H4CJSTD3C7DJDAS2CJC5C2H6C2DQS8C8S7C3D9S7SQD9C3S4H3H8H5S2SKCQCQH8DKHACKD4S5H6H cut=51 calls=g trump=S plays=QSAS8SKS,9S7SKHJS,TS6S4SJH,AHQHTH5H,8H7H9H3H,2SQD6H5S,3S4H7DJD,2H9D4D6D,AD8D2D3D,KDTCKCAC,TD6CJCQC,5D3C7C9C,8C2C4C5C
points -13:9 scores -54:-38
commitment 96784351e90a9e8ce382321a233a4d59b3e1c629a9423945d67bdf76f892441c salt 8795fb0d7b46bfe20e747883a5b165bd8781a2866363219a7606ebb5c9d0102f
deal/1 number=15 dealer=N rules=tarneeb pack=JH3H6STH7DQC3S6C5S8D6D6HJDKCAH7HKH8STCJSKDQH2D5H4H3CJC9S8HQS3D2S8CAS9D7C5D4S5C2HKSTD9HTSAD7SAC4CQD4D9C2C cut=51 calls=g trump=S plays=JSKSAS6S,QS3STS5S,8SAH9SKH,2SJH7S9H,4S9DTH8H,QH6D7H4H,3H3D6HAD,5HKDTD2D,2HQD8DAC,7C8CKCJC,4DTC6CJD,7DQC9C4C,5D3C5C2C
points 3:-13 scores -51:-51
commitment 4bad12990224fd9f87572d8766b652514b2e096324d7242b198154e26f536a1b salt cf36d60ac0b3967e6db82a6ceee23ed9e3d900b9ccb4b9285fe5b0d0a8d6c8fe
deal/1 number=16 dealer=W rules=tarneeb pack=2C9S8DKD2D6SQD9CAC3DKC9H6CAS6DQH9D4HTS3H3S7HQC4C8SKS7DJS6H5D8HTCAH5HQS7CJC2HJH7S5C4S8CTH3C5STD2SKHJD4DAD cut=51 calls=g trump=S plays=JS8SASQS,KSTS7S3S,9SJH2SAH,6S8HQHKH,5SQDTH6H,4STD9H9D,7H8D3H2D,5H7DADAC,4H6DKDJC,2H4DTC6C,JDKC9C5C,5DQC7C3C,3D8C4C2C
points 13:0 scores -38:-51
commitment 8836bc1180220c09fd53a2aff8f24a41039b41e4f28ddb04185a7918b1779373 salt a3856c3ff3f446bb0282368d59a83298ee1399be48ce144f3d974678db0aa7bb
result won by south-north -38:-51
',1,1,16,1);
CREATE TABLE open_table (
  number INTEGER PRIMARY KEY,
  state TEXT NOT NULL,                   -- JSON
  checksum INTEGER NOT NULL
);
INSERT INTO "open_table" VALUES(1,'{"number":1,"name":"Majlis","rules":{"auction":"single","four_passes":"same_dealer","thirteen":"game_call","target":31,"dealing":"one_by_one","partner_hints":false,"lead_tarneeb":false},"turn_seconds":45,"grace_seconds":120,"stand_in":"steady","can_watch":true,"password":null,"opened_by":1,"seats":[{"type":"player","session":1,"name":"Nour","is_ready":true,"is_away":false,"is_awaited":false,"has_stand_in":false},{"type":"player","session":2,"name":"Rami","is_ready":true,"is_away":false,"is_awaited":false,"has_stand_in":false},{"type":"player","session":3,"name":"Layla","is_ready":true,"is_away":false,"is_awaited":false,"has_stand_in":false},{"type":"player","session":4,"name":"Sami","is_ready":true,"is_away":false,"is_awaited":false,"has_stand_in":false}],"spectators":[],"chat":[],"set_number":2,"first_dealer":0,"since":{"1":1,"2":2,"3":3,"4":4},"seen":{},"seen_hands":{"Nour":0,"Rami":1,"Layla":2,"Sami":3},"seq":1184,"turn_seq":1184}',3691556497);
CREATE TABLE reply (                     -- the latest of each session, in a ring
  session INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  request INTEGER NOT NULL,
  answer TEXT NOT NULL,                  -- JSON
  checksum INTEGER NOT NULL,
  PRIMARY KEY (session, slot)
) WITHOUT ROWID;
INSERT INTO "reply" VALUES(1,0,1191,'{"type":"done","id":1191,"seq":1019}',2335891734);
INSERT INTO "reply" VALUES(1,1,1192,'{"type":"done","id":1192,"seq":1024}',705121997);
INSERT INTO "reply" VALUES(1,2,1193,'{"type":"done","id":1193,"seq":1037}',1539482353);
INSERT INTO "reply" VALUES(1,3,1194,'{"type":"done","id":1194,"seq":1045}',873842596);
INSERT INTO "reply" VALUES(1,4,1195,'{"type":"done","id":1195,"seq":1050}',2524759860);
INSERT INTO "reply" VALUES(1,5,1196,'{"type":"done","id":1196,"seq":1052}',679608937);
INSERT INTO "reply" VALUES(1,6,1197,'{"type":"done","id":1197,"seq":1060}',2604390992);
INSERT INTO "reply" VALUES(1,7,1198,'{"type":"done","id":1198,"seq":1065}',487170972);
INSERT INTO "reply" VALUES(1,8,1199,'{"type":"done","id":1199,"seq":1070}',2308883373);
INSERT INTO "reply" VALUES(1,9,1200,'{"type":"done","id":1200,"seq":1072}',577771216);
INSERT INTO "reply" VALUES(1,10,1201,'{"type":"done","id":1201,"seq":1077}',3318990762);
INSERT INTO "reply" VALUES(1,11,1202,'{"type":"done","id":1202,"seq":1082}',1688907167);
INSERT INTO "reply" VALUES(1,12,1203,'{"type":"done","id":1203,"seq":1090}',2916296390);
INSERT INTO "reply" VALUES(1,13,1204,'{"type":"done","id":1204,"seq":1091}',1653682285);
INSERT INTO "reply" VALUES(1,14,1205,'{"type":"done","id":1205,"seq":1096}',1469174214);
INSERT INTO "reply" VALUES(1,15,1206,'{"type":"done","id":1206,"seq":1107}',1033243297);
INSERT INTO "reply" VALUES(1,16,1207,'{"type":"done","id":1207,"seq":1108}',1004892309);
INSERT INTO "reply" VALUES(1,17,1208,'{"type":"done","id":1208,"seq":1109}',850763278);
INSERT INTO "reply" VALUES(1,18,1209,'{"type":"done","id":1209,"seq":1116}',3382648411);
INSERT INTO "reply" VALUES(1,19,1210,'{"type":"done","id":1210,"seq":1121}',435318962);
INSERT INTO "reply" VALUES(1,20,1211,'{"type":"done","id":1211,"seq":1126}',3711036420);
INSERT INTO "reply" VALUES(1,21,1212,'{"type":"done","id":1212,"seq":1131}',1769074907);
INSERT INTO "reply" VALUES(1,22,1213,'{"type":"done","id":1213,"seq":1136}',2864095744);
INSERT INTO "reply" VALUES(1,23,1214,'{"type":"done","id":1214,"seq":1141}',4072617831);
INSERT INTO "reply" VALUES(1,24,1215,'{"type":"done","id":1215,"seq":1146}',3351238348);
INSERT INTO "reply" VALUES(1,25,1216,'{"type":"done","id":1216,"seq":1151}',1946143251);
INSERT INTO "reply" VALUES(1,26,1217,'{"type":"done","id":1217,"seq":1156}',2956499144);
INSERT INTO "reply" VALUES(1,27,1218,'{"type":"done","id":1218,"seq":1161}',3684914015);
INSERT INTO "reply" VALUES(1,28,1219,'{"type":"done","id":1219,"seq":1166}',3630027349);
INSERT INTO "reply" VALUES(1,29,1220,'{"type":"done","id":1220,"seq":1171}',2071406409);
INSERT INTO "reply" VALUES(1,30,1221,'{"type":"done","id":1221,"seq":1177}',3267986685);
INSERT INTO "reply" VALUES(1,31,1222,'{"type":"done","id":1222,"seq":1192}',1590740856);
INSERT INTO "reply" VALUES(1,32,1223,'{"type":"done","id":1223,"seq":1197}',924736808);
INSERT INTO "reply" VALUES(1,33,1224,'{"type":"done","id":1224,"seq":1200}',1454572672);
INSERT INTO "reply" VALUES(1,34,1225,'{"type":"done","id":1225,"seq":1205}',3384421792);
INSERT INTO "reply" VALUES(1,35,1226,'{"type":"done","id":1226,"seq":1212}',2113548671);
INSERT INTO "reply" VALUES(1,36,1227,'{"type":"done","id":1227,"seq":1217}',338996015);
INSERT INTO "reply" VALUES(1,37,1228,'{"type":"done","id":1228,"seq":1222}',3584469043);
INSERT INTO "reply" VALUES(1,38,1165,'{"type":"done","id":1165,"seq":878}',1242778386);
INSERT INTO "reply" VALUES(1,39,1166,'{"type":"done","id":1166,"seq":894}',1235538903);
INSERT INTO "reply" VALUES(1,40,1167,'{"type":"done","id":1167,"seq":896}',3002314832);
INSERT INTO "reply" VALUES(1,41,1168,'{"type":"done","id":1168,"seq":901}',235463430);
INSERT INTO "reply" VALUES(1,42,1169,'{"type":"done","id":1169,"seq":906}',1565308871);
INSERT INTO "reply" VALUES(1,43,1170,'{"type":"done","id":1170,"seq":911}',3883467072);
INSERT INTO "reply" VALUES(1,44,1171,'{"type":"done","id":1171,"seq":919}',2462805506);
INSERT INTO "reply" VALUES(1,45,1172,'{"type":"done","id":1172,"seq":920}',1580384836);
INSERT INTO "reply" VALUES(1,46,1173,'{"type":"done","id":1173,"seq":925}',2810142222);
INSERT INTO "reply" VALUES(1,47,1174,'{"type":"done","id":1174,"seq":930}',1417731981);
INSERT INTO "reply" VALUES(1,48,1175,'{"type":"done","id":1175,"seq":939}',1688502272);
INSERT INTO "reply" VALUES(1,49,1176,'{"type":"done","id":1176,"seq":944}',3535740369);
INSERT INTO "reply" VALUES(1,50,1177,'{"type":"done","id":1177,"seq":949}',4230939848);
INSERT INTO "reply" VALUES(1,51,1178,'{"type":"done","id":1178,"seq":957}',3337650288);
INSERT INTO "reply" VALUES(1,52,1179,'{"type":"done","id":1179,"seq":959}',3904674619);
INSERT INTO "reply" VALUES(1,53,1180,'{"type":"done","id":1180,"seq":965}',1809302521);
INSERT INTO "reply" VALUES(1,54,1181,'{"type":"done","id":1181,"seq":969}',2433170412);
INSERT INTO "reply" VALUES(1,55,1182,'{"type":"done","id":1182,"seq":975}',283129080);
INSERT INTO "reply" VALUES(1,56,1183,'{"type":"done","id":1183,"seq":980}',1811758947);
INSERT INTO "reply" VALUES(1,57,1184,'{"type":"done","id":1184,"seq":985}',2774701904);
INSERT INTO "reply" VALUES(1,58,1185,'{"type":"done","id":1185,"seq":988}',438591370);
INSERT INTO "reply" VALUES(1,59,1186,'{"type":"done","id":1186,"seq":994}',2613268638);
INSERT INTO "reply" VALUES(1,60,1187,'{"type":"done","id":1187,"seq":999}',3459289151);
INSERT INTO "reply" VALUES(1,61,1188,'{"type":"done","id":1188,"seq":1004}',2544897843);
INSERT INTO "reply" VALUES(1,62,1189,'{"type":"done","id":1189,"seq":1009}',1003142540);
INSERT INTO "reply" VALUES(1,63,1190,'{"type":"done","id":1190,"seq":1014}',4275724385);
INSERT INTO "reply" VALUES(2,0,1192,'{"type":"done","id":1192,"seq":1020}',501622706);
INSERT INTO "reply" VALUES(2,1,1193,'{"type":"done","id":1193,"seq":1025}',256599130);
INSERT INTO "reply" VALUES(2,2,1194,'{"type":"done","id":1194,"seq":1032}',2741099813);
INSERT INTO "reply" VALUES(2,3,1195,'{"type":"done","id":1195,"seq":1038}',3920596635);
INSERT INTO "reply" VALUES(2,4,1196,'{"type":"done","id":1196,"seq":1041}',3218373151);
INSERT INTO "reply" VALUES(2,5,1197,'{"type":"done","id":1197,"seq":1046}',124842364);
INSERT INTO "reply" VALUES(2,6,1198,'{"type":"done","id":1198,"seq":1053}',3342956728);
INSERT INTO "reply" VALUES(2,7,1199,'{"type":"done","id":1199,"seq":1056}',3589028688);
INSERT INTO "reply" VALUES(2,8,1200,'{"type":"done","id":1200,"seq":1061}',3039194790);
INSERT INTO "reply" VALUES(2,9,1201,'{"type":"done","id":1201,"seq":1066}',226682309);
INSERT INTO "reply" VALUES(2,10,1202,'{"type":"done","id":1202,"seq":1073}',3651319264);
INSERT INTO "reply" VALUES(2,11,1203,'{"type":"done","id":1203,"seq":1078}',735084859);
INSERT INTO "reply" VALUES(2,12,1204,'{"type":"done","id":1204,"seq":1083}',1914452381);
INSERT INTO "reply" VALUES(2,13,1205,'{"type":"done","id":1205,"seq":1086}',1622243957);
INSERT INTO "reply" VALUES(2,14,1206,'{"type":"done","id":1206,"seq":1092}',1273013132);
INSERT INTO "reply" VALUES(2,15,1207,'{"type":"done","id":1207,"seq":1097}',1498275940);
INSERT INTO "reply" VALUES(2,16,1208,'{"type":"done","id":1208,"seq":1110}',4114157823);
INSERT INTO "reply" VALUES(2,17,1209,'{"type":"done","id":1209,"seq":1118}',369003466);
INSERT INTO "reply" VALUES(2,18,1210,'{"type":"done","id":1210,"seq":1123}',874467570);
INSERT INTO "reply" VALUES(2,19,1211,'{"type":"done","id":1211,"seq":1128}',3329057833);
INSERT INTO "reply" VALUES(2,20,1212,'{"type":"done","id":1212,"seq":1133}',1151127707);
INSERT INTO "reply" VALUES(2,21,1213,'{"type":"done","id":1213,"seq":1138}',3069109312);
INSERT INTO "reply" VALUES(2,22,1214,'{"type":"done","id":1214,"seq":1143}',3746699047);
INSERT INTO "reply" VALUES(2,23,1215,'{"type":"done","id":1215,"seq":1148}',757081084);
INSERT INTO "reply" VALUES(2,24,1216,'{"type":"done","id":1216,"seq":1153}',1578297939);
INSERT INTO "reply" VALUES(2,25,1217,'{"type":"done","id":1217,"seq":1158}',2892029576);
INSERT INTO "reply" VALUES(2,26,1218,'{"type":"done","id":1218,"seq":1163}',4132336415);
INSERT INTO "reply" VALUES(2,27,1219,'{"type":"done","id":1219,"seq":1168}',71059396);
INSERT INTO "reply" VALUES(2,28,1220,'{"type":"done","id":1220,"seq":1176}',1631909691);
INSERT INTO "reply" VALUES(2,29,1221,'{"type":"done","id":1221,"seq":1178}',2766681042);
INSERT INTO "reply" VALUES(2,30,1222,'{"type":"done","id":1222,"seq":1186}',1798738260);
INSERT INTO "reply" VALUES(2,31,1223,'{"type":"done","id":1223,"seq":1187}',4143531499);
INSERT INTO "reply" VALUES(2,32,1224,'{"type":"done","id":1224,"seq":1188}',2718432715);
INSERT INTO "reply" VALUES(2,33,1225,'{"type":"done","id":1225,"seq":1193}',1830150304);
INSERT INTO "reply" VALUES(2,34,1226,'{"type":"done","id":1226,"seq":1202}',3346984964);
INSERT INTO "reply" VALUES(2,35,1227,'{"type":"done","id":1227,"seq":1207}',3587421164);
INSERT INTO "reply" VALUES(2,36,1228,'{"type":"done","id":1228,"seq":1208}',1195373564);
INSERT INTO "reply" VALUES(2,37,1229,'{"type":"done","id":1229,"seq":1213}',2284711575);
INSERT INTO "reply" VALUES(2,38,1230,'{"type":"done","id":1230,"seq":1218}',4000075647);
INSERT INTO "reply" VALUES(2,39,1231,'{"type":"done","id":1231,"seq":1223}',1539178868);
INSERT INTO "reply" VALUES(2,40,1168,'{"type":"done","id":1168,"seq":890}',2628987942);
INSERT INTO "reply" VALUES(2,41,1169,'{"type":"done","id":1169,"seq":897}',486895149);
INSERT INTO "reply" VALUES(2,42,1170,'{"type":"done","id":1170,"seq":902}',619159183);
INSERT INTO "reply" VALUES(2,43,1171,'{"type":"done","id":1171,"seq":907}',257430543);
INSERT INTO "reply" VALUES(2,44,1172,'{"type":"done","id":1172,"seq":912}',1607494030);
INSERT INTO "reply" VALUES(2,45,1173,'{"type":"done","id":1173,"seq":915}',3731237765);
INSERT INTO "reply" VALUES(2,46,1174,'{"type":"done","id":1174,"seq":921}',1024952521);
INSERT INTO "reply" VALUES(2,47,1175,'{"type":"done","id":1175,"seq":926}',3164719810);
INSERT INTO "reply" VALUES(2,48,1176,'{"type":"done","id":1176,"seq":931}',3138005090);
INSERT INTO "reply" VALUES(2,49,1177,'{"type":"done","id":1177,"seq":935}',671729031);
INSERT INTO "reply" VALUES(2,50,1178,'{"type":"done","id":1178,"seq":940}',2316077288);
INSERT INTO "reply" VALUES(2,51,1179,'{"type":"done","id":1179,"seq":945}',2712863336);
INSERT INTO "reply" VALUES(2,52,1180,'{"type":"done","id":1180,"seq":950}',4158804106);
INSERT INTO "reply" VALUES(2,53,1181,'{"type":"done","id":1181,"seq":967}',838101073);
INSERT INTO "reply" VALUES(2,54,1182,'{"type":"done","id":1182,"seq":970}',3413499227);
INSERT INTO "reply" VALUES(2,55,1183,'{"type":"done","id":1183,"seq":977}',1254334288);
INSERT INTO "reply" VALUES(2,56,1184,'{"type":"done","id":1184,"seq":982}',3573462648);
INSERT INTO "reply" VALUES(2,57,1185,'{"type":"done","id":1185,"seq":987}',4282465528);
INSERT INTO "reply" VALUES(2,58,1186,'{"type":"done","id":1186,"seq":989}',3095574626);
INSERT INTO "reply" VALUES(2,59,1187,'{"type":"done","id":1187,"seq":995}',3545584856);
INSERT INTO "reply" VALUES(2,60,1188,'{"type":"done","id":1188,"seq":1000}',2671145135);
INSERT INTO "reply" VALUES(2,61,1189,'{"type":"done","id":1189,"seq":1005}',2375758663);
INSERT INTO "reply" VALUES(2,62,1190,'{"type":"done","id":1190,"seq":1010}',4133232637);
INSERT INTO "reply" VALUES(2,63,1191,'{"type":"done","id":1191,"seq":1015}',3841022997);
INSERT INTO "reply" VALUES(3,0,1192,'{"type":"done","id":1192,"seq":1022}',2110856362);
INSERT INTO "reply" VALUES(3,1,1193,'{"type":"done","id":1193,"seq":1030}',3486207563);
INSERT INTO "reply" VALUES(3,2,1194,'{"type":"done","id":1194,"seq":1040}',1903573549);
INSERT INTO "reply" VALUES(3,3,1195,'{"type":"done","id":1195,"seq":1042}',4262216060);
INSERT INTO "reply" VALUES(3,4,1196,'{"type":"done","id":1196,"seq":1047}',1350686288);
INSERT INTO "reply" VALUES(3,5,1197,'{"type":"done","id":1197,"seq":1055}',3801842865);
INSERT INTO "reply" VALUES(3,6,1198,'{"type":"done","id":1198,"seq":1057}',2182945916);
INSERT INTO "reply" VALUES(3,7,1199,'{"type":"done","id":1199,"seq":1062}',3608159556);
INSERT INTO "reply" VALUES(3,8,1200,'{"type":"done","id":1200,"seq":1067}',1517535977);
INSERT INTO "reply" VALUES(3,9,1201,'{"type":"done","id":1201,"seq":1075}',3899232264);
INSERT INTO "reply" VALUES(3,10,1202,'{"type":"done","id":1202,"seq":1080}',546009554);
INSERT INTO "reply" VALUES(3,11,1203,'{"type":"done","id":1203,"seq":1085}',841364026);
INSERT INTO "reply" VALUES(3,12,1204,'{"type":"done","id":1204,"seq":1087}',2494714567);
INSERT INTO "reply" VALUES(3,13,1205,'{"type":"done","id":1205,"seq":1093}',63135738);
INSERT INTO "reply" VALUES(3,14,1206,'{"type":"done","id":1206,"seq":1098}',1301397477);
INSERT INTO "reply" VALUES(3,15,1207,'{"type":"done","id":1207,"seq":1105}',1556374838);
INSERT INTO "reply" VALUES(3,16,1208,'{"type":"done","id":1208,"seq":1111}',608799639);
INSERT INTO "reply" VALUES(3,17,1209,'{"type":"done","id":1209,"seq":1114}',920963199);
INSERT INTO "reply" VALUES(3,18,1210,'{"type":"done","id":1210,"seq":1119}',1976448587);
INSERT INTO "reply" VALUES(3,19,1211,'{"type":"done","id":1211,"seq":1124}',3849791388);
INSERT INTO "reply" VALUES(3,20,1212,'{"type":"done","id":1212,"seq":1129}',2140005698);
INSERT INTO "reply" VALUES(3,21,1213,'{"type":"done","id":1213,"seq":1134}',2515838965);
INSERT INTO "reply" VALUES(3,22,1214,'{"type":"done","id":1214,"seq":1139}',1795413854);
INSERT INTO "reply" VALUES(3,23,1215,'{"type":"done","id":1215,"seq":1144}',238706761);
INSERT INTO "reply" VALUES(3,24,1216,'{"type":"done","id":1216,"seq":1149}',1694752650);
INSERT INTO "reply" VALUES(3,25,1217,'{"type":"done","id":1217,"seq":1154}',2407177533);
INSERT INTO "reply" VALUES(3,26,1218,'{"type":"done","id":1218,"seq":1159}',3080656294);
INSERT INTO "reply" VALUES(3,27,1219,'{"type":"done","id":1219,"seq":1164}',656802929);
INSERT INTO "reply" VALUES(3,28,1220,'{"type":"done","id":1220,"seq":1169}',1837839056);
INSERT INTO "reply" VALUES(3,29,1221,'{"type":"done","id":1221,"seq":1179}',1972938938);
INSERT INTO "reply" VALUES(3,30,1222,'{"type":"done","id":1222,"seq":1189}',1520008463);
INSERT INTO "reply" VALUES(3,31,1223,'{"type":"done","id":1223,"seq":1194}',2967486392);
INSERT INTO "reply" VALUES(3,32,1224,'{"type":"done","id":1224,"seq":1198}',4138412150);
INSERT INTO "reply" VALUES(3,33,1225,'{"type":"done","id":1225,"seq":1203}',2405239922);
INSERT INTO "reply" VALUES(3,34,1226,'{"type":"done","id":1226,"seq":1209}',2041809672);
INSERT INTO "reply" VALUES(3,35,1227,'{"type":"done","id":1227,"seq":1214}',2479540671);
INSERT INTO "reply" VALUES(3,36,1228,'{"type":"done","id":1228,"seq":1219}',2872000804);
INSERT INTO "reply" VALUES(3,37,1229,'{"type":"done","id":1229,"seq":1224}',999706867);
INSERT INTO "reply" VALUES(3,38,1166,'{"type":"done","id":1166,"seq":891}',1477429735);
INSERT INTO "reply" VALUES(3,39,1167,'{"type":"done","id":1167,"seq":899}',2178587578);
INSERT INTO "reply" VALUES(3,40,1168,'{"type":"done","id":1168,"seq":904}',530839862);
INSERT INTO "reply" VALUES(3,41,1169,'{"type":"done","id":1169,"seq":909}',4054342489);
INSERT INTO "reply" VALUES(3,42,1170,'{"type":"done","id":1170,"seq":914}',4140964720);
INSERT INTO "reply" VALUES(3,43,1171,'{"type":"done","id":1171,"seq":916}',1085974857);
INSERT INTO "reply" VALUES(3,44,1172,'{"type":"done","id":1172,"seq":922}',3528384717);
INSERT INTO "reply" VALUES(3,45,1173,'{"type":"done","id":1173,"seq":927}',4193348173);
INSERT INTO "reply" VALUES(3,46,1174,'{"type":"done","id":1174,"seq":932}',3640458500);
INSERT INTO "reply" VALUES(3,47,1175,'{"type":"done","id":1175,"seq":936}',1275007201);
INSERT INTO "reply" VALUES(3,48,1176,'{"type":"done","id":1176,"seq":941}',3272869857);
INSERT INTO "reply" VALUES(3,49,1177,'{"type":"done","id":1177,"seq":946}',1117930986);
INSERT INTO "reply" VALUES(3,50,1178,'{"type":"done","id":1178,"seq":951}',3320722862);
INSERT INTO "reply" VALUES(3,51,1179,'{"type":"done","id":1179,"seq":961}',2653894092);
INSERT INTO "reply" VALUES(3,52,1180,'{"type":"done","id":1180,"seq":962}',3497333058);
INSERT INTO "reply" VALUES(3,53,1181,'{"type":"done","id":1181,"seq":963}',1957170325);
INSERT INTO "reply" VALUES(3,54,1182,'{"type":"done","id":1182,"seq":972}',2873288259);
INSERT INTO "reply" VALUES(3,55,1183,'{"type":"done","id":1183,"seq":973}',262142868);
INSERT INTO "reply" VALUES(3,56,1184,'{"type":"done","id":1184,"seq":978}',4079825502);
INSERT INTO "reply" VALUES(3,57,1185,'{"type":"done","id":1185,"seq":983}',3122485308);
INSERT INTO "reply" VALUES(3,58,1186,'{"type":"done","id":1186,"seq":990}',852766155);
INSERT INTO "reply" VALUES(3,59,1187,'{"type":"done","id":1187,"seq":997}',3009572800);
INSERT INTO "reply" VALUES(3,60,1188,'{"type":"done","id":1188,"seq":1002}',1559446569);
INSERT INTO "reply" VALUES(3,61,1189,'{"type":"done","id":1189,"seq":1007}',1314785217);
INSERT INTO "reply" VALUES(3,62,1190,'{"type":"done","id":1190,"seq":1012}',899230587);
INSERT INTO "reply" VALUES(3,63,1191,'{"type":"done","id":1191,"seq":1017}',657746067);
INSERT INTO "reply" VALUES(4,0,1192,'{"type":"done","id":1192,"seq":1034}',2129771260);
INSERT INTO "reply" VALUES(4,1,1193,'{"type":"done","id":1193,"seq":1035}',3812519491);
INSERT INTO "reply" VALUES(4,2,1194,'{"type":"done","id":1194,"seq":1036}',4246104539);
INSERT INTO "reply" VALUES(4,3,1195,'{"type":"done","id":1195,"seq":1043}',1570502179);
INSERT INTO "reply" VALUES(4,4,1196,'{"type":"done","id":1196,"seq":1048}',331945532);
INSERT INTO "reply" VALUES(4,5,1197,'{"type":"done","id":1197,"seq":1051}',1993524188);
INSERT INTO "reply" VALUES(4,6,1198,'{"type":"done","id":1198,"seq":1058}',3243629584);
INSERT INTO "reply" VALUES(4,7,1199,'{"type":"done","id":1199,"seq":1063}',1955041819);
INSERT INTO "reply" VALUES(4,8,1200,'{"type":"done","id":1200,"seq":1068}',423297669);
INSERT INTO "reply" VALUES(4,9,1201,'{"type":"done","id":1201,"seq":1071}',2082527077);
INSERT INTO "reply" VALUES(4,10,1202,'{"type":"done","id":1202,"seq":1076}',1101482941);
INSERT INTO "reply" VALUES(4,11,1203,'{"type":"done","id":1203,"seq":1081}',2069059343);
INSERT INTO "reply" VALUES(4,12,1204,'{"type":"done","id":1204,"seq":1088}',180793587);
INSERT INTO "reply" VALUES(4,13,1205,'{"type":"done","id":1205,"seq":1095}',3770675780);
INSERT INTO "reply" VALUES(4,14,1206,'{"type":"done","id":1206,"seq":1103}',2597026642);
INSERT INTO "reply" VALUES(4,15,1207,'{"type":"done","id":1207,"seq":1113}',2195251512);
INSERT INTO "reply" VALUES(4,16,1208,'{"type":"done","id":1208,"seq":1115}',1832709794);
INSERT INTO "reply" VALUES(4,17,1209,'{"type":"done","id":1209,"seq":1120}',942790554);
INSERT INTO "reply" VALUES(4,18,1210,'{"type":"done","id":1210,"seq":1125}',3199140161);
INSERT INTO "reply" VALUES(4,19,1211,'{"type":"done","id":1211,"seq":1130}',2439146265);
INSERT INTO "reply" VALUES(4,20,1212,'{"type":"done","id":1212,"seq":1135}',3459023144);
INSERT INTO "reply" VALUES(4,21,1213,'{"type":"done","id":1213,"seq":1140}',1856052944);
INSERT INTO "reply" VALUES(4,22,1214,'{"type":"done","id":1214,"seq":1145}',1440892564);
INSERT INTO "reply" VALUES(4,23,1215,'{"type":"done","id":1215,"seq":1150}',2049912012);
INSERT INTO "reply" VALUES(4,24,1216,'{"type":"done","id":1216,"seq":1155}',3567434720);
INSERT INTO "reply" VALUES(4,25,1217,'{"type":"done","id":1217,"seq":1160}',2175763160);
INSERT INTO "reply" VALUES(4,26,1218,'{"type":"done","id":1218,"seq":1165}',2097029804);
INSERT INTO "reply" VALUES(4,27,1219,'{"type":"done","id":1219,"seq":1170}',1395869940);
INSERT INTO "reply" VALUES(4,28,1220,'{"type":"done","id":1220,"seq":1182}',3282958802);
INSERT INTO "reply" VALUES(4,29,1221,'{"type":"done","id":1221,"seq":1184}',3283424724);
INSERT INTO "reply" VALUES(4,30,1222,'{"type":"done","id":1222,"seq":1190}',3706120535);
INSERT INTO "reply" VALUES(4,31,1223,'{"type":"done","id":1223,"seq":1195}',3461065407);
INSERT INTO "reply" VALUES(4,32,1224,'{"type":"done","id":1224,"seq":1199}',2281749873);
INSERT INTO "reply" VALUES(4,33,1225,'{"type":"done","id":1225,"seq":1204}',3567109801);
INSERT INTO "reply" VALUES(4,34,1226,'{"type":"done","id":1226,"seq":1210}',4291567440);
INSERT INTO "reply" VALUES(4,35,1227,'{"type":"done","id":1227,"seq":1215}',3982580920);
INSERT INTO "reply" VALUES(4,36,1228,'{"type":"done","id":1228,"seq":1220}',1469089308);
INSERT INTO "reply" VALUES(4,37,1165,'{"type":"done","id":1165,"seq":886}',1150286717);
INSERT INTO "reply" VALUES(4,38,1166,'{"type":"done","id":1166,"seq":892}',1368503859);
INSERT INTO "reply" VALUES(4,39,1167,'{"type":"done","id":1167,"seq":895}',3492279352);
INSERT INTO "reply" VALUES(4,40,1168,'{"type":"done","id":1168,"seq":900}',2347417179);
INSERT INTO "reply" VALUES(4,41,1169,'{"type":"done","id":1169,"seq":905}',2689938651);
INSERT INTO "reply" VALUES(4,42,1170,'{"type":"done","id":1170,"seq":910}',1654348829);
INSERT INTO "reply" VALUES(4,43,1171,'{"type":"done","id":1171,"seq":917}',3811384854);
INSERT INTO "reply" VALUES(4,44,1172,'{"type":"done","id":1172,"seq":924}',3960368939);
INSERT INTO "reply" VALUES(4,45,1173,'{"type":"done","id":1173,"seq":929}',33934660);
INSERT INTO "reply" VALUES(4,46,1174,'{"type":"done","id":1174,"seq":934}',3871109858);
INSERT INTO "reply" VALUES(4,47,1175,'{"type":"done","id":1175,"seq":937}',3899172798);
INSERT INTO "reply" VALUES(4,48,1176,'{"type":"done","id":1176,"seq":942}',3398072373);
INSERT INTO "reply" VALUES(4,49,1177,'{"type":"done","id":1177,"seq":947}',3778409141);
INSERT INTO "reply" VALUES(4,50,1178,'{"type":"done","id":1178,"seq":952}',3429911162);
INSERT INTO "reply" VALUES(4,51,1179,'{"type":"done","id":1179,"seq":964}',3000636868);
INSERT INTO "reply" VALUES(4,52,1180,'{"type":"done","id":1180,"seq":968}',2766348572);
INSERT INTO "reply" VALUES(4,53,1181,'{"type":"done","id":1181,"seq":974}',3476344230);
INSERT INTO "reply" VALUES(4,54,1182,'{"type":"done","id":1182,"seq":979}',1734914424);
INSERT INTO "reply" VALUES(4,55,1183,'{"type":"done","id":1183,"seq":984}',187925702);
INSERT INTO "reply" VALUES(4,56,1184,'{"type":"done","id":1184,"seq":992}',948681825);
INSERT INTO "reply" VALUES(4,57,1185,'{"type":"done","id":1185,"seq":993}',2622923190);
INSERT INTO "reply" VALUES(4,58,1186,'{"type":"done","id":1186,"seq":998}',3964392734);
INSERT INTO "reply" VALUES(4,59,1187,'{"type":"done","id":1187,"seq":1003}',4023602949);
INSERT INTO "reply" VALUES(4,60,1188,'{"type":"done","id":1188,"seq":1008}',4116272687);
INSERT INTO "reply" VALUES(4,61,1189,'{"type":"done","id":1189,"seq":1013}',978012996);
INSERT INTO "reply" VALUES(4,62,1190,'{"type":"done","id":1190,"seq":1018}',2620602749);
INSERT INTO "reply" VALUES(4,63,1191,'{"type":"done","id":1191,"seq":1023}',702642038);
CREATE TABLE server (id TEXT NOT NULL);
INSERT INTO "server" VALUES('73d5d8e3938adb7a');
CREATE TABLE session (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  token_hash BLOB NOT NULL,              -- SHA-256; the token itself is nowhere
  previous_hash BLOB,
  at_table INTEGER,
  checksum INTEGER NOT NULL
);
INSERT INTO "session" VALUES(1,'Nour',X'8857A720FB931C7022E18139F9AA610DCB978B1C1C335AD35497AB252BA1EA04',NULL,1,2649088530);
INSERT INTO "session" VALUES(2,'Rami',X'F8E33F46C6AFE03E7A6E7079CD6FAB9171955B5BCB5F40FB14CAF23A0BE017F6',NULL,1,906673892);
INSERT INTO "session" VALUES(3,'Layla',X'58AB9CE50A44DC91A093BE203FBB0B2176B60D0F85F02C6B5EA038218249837A',NULL,1,4097176506);
INSERT INTO "session" VALUES(4,'Sami',X'2CB9A5766CC104902FE5D500A3C40946167CBD3A8225EF57AB10B9D0C5065E4A',NULL,1,3354374726);
CREATE TABLE set_seat (                  -- who sat where at the end of a finished set
  finished_set INTEGER NOT NULL,
  seat INTEGER NOT NULL,
  session INTEGER,                       -- NULL for a bot
  level TEXT,                            -- of a bot; NULL for a player
  PRIMARY KEY (finished_set, seat)
);
INSERT INTO "set_seat" VALUES(1,0,1,NULL);
INSERT INTO "set_seat" VALUES(1,1,2,NULL);
INSERT INTO "set_seat" VALUES(1,2,3,NULL);
INSERT INTO "set_seat" VALUES(1,3,4,NULL);
CREATE INDEX set_seat_session ON set_seat (session);
PRAGMA user_version=4;
COMMIT;
