BEGIN TRANSACTION;
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
INSERT INTO "deal" VALUES(1,2,1,'QC7SAD9S9D9CQHTCJCTH8C4S5S4CKD5CQD6SQS5DJHJD8H8S2HKHAC6H7C7D4HTSJS2CASTD3D9H5H8D3C3H3S6D7HKS6C4D2SAHKC2D',X'31D2659E5EFC59EF18CF4C5A1A03394DAE1C2E45A687E2B29EA1FCD891F96EA8','c51 g tS TS JS KS AS QS 9S 5S 7S 3S 8S 2S 6S 4S JH AH QH 6H 7H KH 8H TH 5H TD 2H 9H 4H 8D QD 3H AD',273,273,596524965);
CREATE TABLE finished_set (
  number INTEGER PRIMARY KEY,
  finished_at INTEGER NOT NULL,          -- seconds since 1970, UTC
  table_name TEXT NOT NULL,
  south TEXT NOT NULL, east TEXT NOT NULL, north TEXT NOT NULL, west TEXT NOT NULL,
  south_north INTEGER NOT NULL, east_west INTEGER NOT NULL,   -- final scores
  winner INTEGER NOT NULL,               -- 0 South and North, 1 East and West
  transcript TEXT NOT NULL               -- docs/notation.md
);
INSERT INTO "finished_set" VALUES(1,1796069398,'Majlis','Nour','Rami','Layla','Sami',3,-12,0,'tarneeb-set/1
rules tarneeb
dealer W
south Nour
east Rami
north Layla
west Sami
deal/1 number=1 dealer=W rules=tarneeb pack=5D4C3SQDAC2DTSJD9S7S5HKHQH7D4D4H7HTC5CTD6H3H8H6D9CKSAHAS2C6SJH9D7C9H3CQSKD4S8C8D2S3D8SJCJSTH2HAD6C5SQCKC cut=51 calls=g trump=S plays=ASJSKSTS,QS9S7S8S,KHQHTHAH,3S4H2S6S,5SJHAD7H,4S8HQD6H,9H5HJDKD,3H2HTD5D,7D4D9DAC,8D9C3DQC,6D7C2D8C,KC6CTC5C,JC2C4C3C
points -13:1 scores -13:1
deal/1 number=2 dealer=S rules=tarneeb pack=2S5SQD8D3D2HKC4C5D9D9C3S9S2DAH7CJDKH8C8H7H3HTD7D4D6SAC5C5HTCTH2C6CASJH3CKS8S6D4HKD6HAD9HTSQSQHJCJS7SQC4S cut=51 calls=g trump=S plays=4SKSASAH,QSQH3SJS,8SJH9HTS,9S7STH8H,2S6SAD4H,5SQD8D7H,KHTD7D5H,6H6DJCKD,3HAC7CJD,2HKC5C5D,9DQC4C4D,2D9C3C3D,6CTC8C2C
points 3:-13 scores -10:-12
deal/1 number=3 dealer=E rules=tarneeb pack=3H3S6HTS7H4HJD8DTD8C4SQSTHTC6C2H5H3C9HJS5D5SQHKH5CACAD3DKD9S7C7D2CJC6SAS9DKC8HJH4C2S4DAH6DKS7S2DQDQC8S9C cut=51 calls=g trump=S plays=ASTHKS8S,QS7H9S7S,JS5H5S6S,TS3H3S4S,AHKD4HQH,KHQD2S9H,AC7C9C5C,KC6CJH4C,QC8H2H2C,JC6H8DTD,TCAD7D9D,8CJD3D6D,3C4D2D5D
points 13:0 scores 3:-12
result won by south-north 3:-12
');
CREATE TABLE open_table (
  number INTEGER PRIMARY KEY,
  state TEXT NOT NULL,                   -- JSON
  checksum INTEGER NOT NULL
);
INSERT INTO "open_table" VALUES(1,'{"number":1,"name":"Majlis","rules":{"auction":"single","four_passes":"same_dealer","thirteen":"game_call","target":31,"dealing":"one_by_one","partner_hints":false,"lead_tarneeb":false},"turn_seconds":45,"can_watch":true,"password":null,"opened_by":1,"seats":[{"type":"player","session":1,"name":"Nour","is_ready":true,"is_away":false},{"type":"player","session":2,"name":"Rami","is_ready":true,"is_away":false},{"type":"player","session":3,"name":"Layla","is_ready":true,"is_away":false},{"type":"player","session":4,"name":"Sami","is_ready":true,"is_away":false}],"spectators":[],"chat":[],"set_number":2,"first_dealer":1,"since":{"1":1,"2":2,"3":3,"4":4},"seen":{"1":0,"2":1,"3":2,"4":3},"seq":233,"turn_seq":233}',3148627902);
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
INSERT INTO "reply" VALUES(1,2,1001,'{"type":"done","id":1001,"seq":10}',3488713216);
INSERT INTO "reply" VALUES(1,3,1002,'{"type":"done","id":1002,"seq":11}',2683480752);
INSERT INTO "reply" VALUES(1,4,1003,'{"type":"done","id":1003,"seq":12}',1536723492);
INSERT INTO "reply" VALUES(1,5,1004,'{"type":"done","id":1004,"seq":17}',2495681674);
INSERT INTO "reply" VALUES(1,6,1005,'{"type":"done","id":1005,"seq":22}',372734239);
INSERT INTO "reply" VALUES(1,7,1006,'{"type":"done","id":1006,"seq":28}',2436226734);
INSERT INTO "reply" VALUES(1,8,1007,'{"type":"done","id":1007,"seq":34}',2029131718);
INSERT INTO "reply" VALUES(1,9,1008,'{"type":"done","id":1008,"seq":39}',1383068437);
INSERT INTO "reply" VALUES(1,10,1009,'{"type":"done","id":1009,"seq":44}',2458547912);
INSERT INTO "reply" VALUES(1,11,1010,'{"type":"done","id":1010,"seq":49}',949181697);
INSERT INTO "reply" VALUES(1,12,1011,'{"type":"done","id":1011,"seq":54}',85019419);
INSERT INTO "reply" VALUES(1,13,1012,'{"type":"done","id":1012,"seq":57}',4280001312);
INSERT INTO "reply" VALUES(1,14,1013,'{"type":"done","id":1013,"seq":62}',1505404600);
INSERT INTO "reply" VALUES(1,15,1014,'{"type":"done","id":1014,"seq":67}',2531473430);
INSERT INTO "reply" VALUES(1,16,1015,'{"type":"done","id":1015,"seq":72}',1859454691);
INSERT INTO "reply" VALUES(1,17,1016,'{"type":"done","id":1016,"seq":89}',3543880166);
INSERT INTO "reply" VALUES(1,18,1017,'{"type":"done","id":1017,"seq":91}',3047034841);
INSERT INTO "reply" VALUES(1,19,1018,'{"type":"done","id":1018,"seq":96}',4038986606);
INSERT INTO "reply" VALUES(1,20,1019,'{"type":"done","id":1019,"seq":102}',3256820871);
INSERT INTO "reply" VALUES(1,21,1020,'{"type":"done","id":1020,"seq":107}',3737636151);
INSERT INTO "reply" VALUES(1,22,1021,'{"type":"done","id":1021,"seq":111}',140498723);
INSERT INTO "reply" VALUES(1,23,1022,'{"type":"done","id":1022,"seq":116}',1675196038);
INSERT INTO "reply" VALUES(1,24,1023,'{"type":"done","id":1023,"seq":121}',162034498);
INSERT INTO "reply" VALUES(1,25,1024,'{"type":"done","id":1024,"seq":126}',1832784890);
INSERT INTO "reply" VALUES(1,26,1025,'{"type":"done","id":1025,"seq":131}',52063883);
INSERT INTO "reply" VALUES(1,27,1026,'{"type":"done","id":1026,"seq":136}',1755107118);
INSERT INTO "reply" VALUES(1,28,1027,'{"type":"done","id":1027,"seq":141}',172440448);
INSERT INTO "reply" VALUES(1,29,1028,'{"type":"done","id":1028,"seq":147}',3360472679);
INSERT INTO "reply" VALUES(1,30,1029,'{"type":"done","id":1029,"seq":154}',996407805);
INSERT INTO "reply" VALUES(1,31,1030,'{"type":"done","id":1030,"seq":160}',3911431156);
INSERT INTO "reply" VALUES(1,32,1031,'{"type":"done","id":1031,"seq":165}',275656638);
INSERT INTO "reply" VALUES(1,33,1032,'{"type":"done","id":1032,"seq":170}',3967905568);
INSERT INTO "reply" VALUES(1,34,1033,'{"type":"done","id":1033,"seq":175}',1801050303);
INSERT INTO "reply" VALUES(1,35,1034,'{"type":"done","id":1034,"seq":180}',664201053);
INSERT INTO "reply" VALUES(1,36,1035,'{"type":"done","id":1035,"seq":185}',3738925847);
INSERT INTO "reply" VALUES(1,37,1036,'{"type":"done","id":1036,"seq":188}',3672128214);
INSERT INTO "reply" VALUES(1,38,1037,'{"type":"done","id":1037,"seq":193}',2108523616);
INSERT INTO "reply" VALUES(1,39,1038,'{"type":"done","id":1038,"seq":198}',1305270618);
INSERT INTO "reply" VALUES(1,40,1039,'{"type":"done","id":1039,"seq":203}',1075307912);
INSERT INTO "reply" VALUES(1,41,1040,'{"type":"done","id":1040,"seq":208}',3742959379);
INSERT INTO "reply" VALUES(1,42,1041,'{"type":"done","id":1041,"seq":213}',4226532826);
INSERT INTO "reply" VALUES(1,43,1042,'{"type":"done","id":1042,"seq":218}',3669744583);
INSERT INTO "reply" VALUES(1,44,1043,'{"type":"done","id":1043,"seq":226}',3452080521);
INSERT INTO "reply" VALUES(1,45,1044,'{"type":"done","id":1044,"seq":233}',1044189194);
INSERT INTO "reply" VALUES(1,46,1045,'{"type":"done","id":1045,"seq":239}',2668862486);
INSERT INTO "reply" VALUES(1,47,1046,'{"type":"done","id":1046,"seq":246}',2197932364);
INSERT INTO "reply" VALUES(1,48,1047,'{"type":"done","id":1047,"seq":251}',1855637570);
INSERT INTO "reply" VALUES(1,49,1048,'{"type":"done","id":1048,"seq":254}',3190088267);
INSERT INTO "reply" VALUES(1,50,1049,'{"type":"done","id":1049,"seq":259}',2427779922);
INSERT INTO "reply" VALUES(1,51,1050,'{"type":"done","id":1050,"seq":262}',446144781);
INSERT INTO "reply" VALUES(1,52,1051,'{"type":"done","id":1051,"seq":267}',3822730567);
INSERT INTO "reply" VALUES(1,53,1052,'{"type":"done","id":1052,"seq":272}',523599321);
INSERT INTO "reply" VALUES(2,0,1,'{"type":"joined","id":1,"table":1,"seat":1}',2819703569);
INSERT INTO "reply" VALUES(2,1,1001,'{"type":"done","id":1001,"seq":13}',394788399);
INSERT INTO "reply" VALUES(2,2,1002,'{"type":"done","id":1002,"seq":18}',3618245085);
INSERT INTO "reply" VALUES(2,3,1003,'{"type":"done","id":1003,"seq":23}',1242571869);
INSERT INTO "reply" VALUES(2,4,1004,'{"type":"done","id":1004,"seq":29}',116323726);
INSERT INTO "reply" VALUES(2,5,1005,'{"type":"done","id":1005,"seq":36}',1861622841);
INSERT INTO "reply" VALUES(2,6,1006,'{"type":"done","id":1006,"seq":41}',1445824611);
INSERT INTO "reply" VALUES(2,7,1007,'{"type":"done","id":1007,"seq":46}',3336659083);
INSERT INTO "reply" VALUES(2,8,1008,'{"type":"done","id":1008,"seq":51}',768328381);
INSERT INTO "reply" VALUES(2,9,1009,'{"type":"done","id":1009,"seq":56}',3171363413);
INSERT INTO "reply" VALUES(2,10,1010,'{"type":"done","id":1010,"seq":58}',2510595093);
INSERT INTO "reply" VALUES(2,11,1011,'{"type":"done","id":1011,"seq":63}',136219029);
INSERT INTO "reply" VALUES(2,12,1012,'{"type":"done","id":1012,"seq":68}',3358817895);
INSERT INTO "reply" VALUES(2,13,1013,'{"type":"done","id":1013,"seq":73}',793313415);
INSERT INTO "reply" VALUES(2,14,1014,'{"type":"done","id":1014,"seq":83}',2388305633);
INSERT INTO "reply" VALUES(2,15,1015,'{"type":"done","id":1015,"seq":84}',513166857);
INSERT INTO "reply" VALUES(2,16,1016,'{"type":"done","id":1016,"seq":85}',2969983391);
INSERT INTO "reply" VALUES(2,17,1017,'{"type":"done","id":1017,"seq":92}',480942279);
INSERT INTO "reply" VALUES(2,18,1018,'{"type":"done","id":1018,"seq":97}',1625938890);
INSERT INTO "reply" VALUES(2,19,1019,'{"type":"done","id":1019,"seq":104}',2965831684);
INSERT INTO "reply" VALUES(2,20,1020,'{"type":"done","id":1020,"seq":109}',3528696725);
INSERT INTO "reply" VALUES(2,21,1021,'{"type":"done","id":1021,"seq":112}',609449878);
INSERT INTO "reply" VALUES(2,22,1022,'{"type":"done","id":1022,"seq":117}',925763698);
INSERT INTO "reply" VALUES(2,23,1023,'{"type":"done","id":1023,"seq":122}',1530001442);
INSERT INTO "reply" VALUES(2,24,1024,'{"type":"done","id":1024,"seq":127}',969501966);
INSERT INTO "reply" VALUES(2,25,1025,'{"type":"done","id":1025,"seq":132}',790023742);
INSERT INTO "reply" VALUES(2,26,1026,'{"type":"done","id":1026,"seq":137}',1013690842);
INSERT INTO "reply" VALUES(2,27,1027,'{"type":"done","id":1027,"seq":142}',2784290634);
INSERT INTO "reply" VALUES(2,28,1028,'{"type":"done","id":1028,"seq":152}',783908468);
INSERT INTO "reply" VALUES(2,29,1029,'{"type":"done","id":1029,"seq":162}',1970830870);
INSERT INTO "reply" VALUES(2,30,1030,'{"type":"done","id":1030,"seq":167}',2562691804);
INSERT INTO "reply" VALUES(2,31,1031,'{"type":"done","id":1031,"seq":172}',2388668908);
INSERT INTO "reply" VALUES(2,32,1032,'{"type":"done","id":1032,"seq":177}',2635943432);
INSERT INTO "reply" VALUES(2,33,1033,'{"type":"done","id":1033,"seq":182}',888296281);
INSERT INTO "reply" VALUES(2,34,1034,'{"type":"done","id":1034,"seq":187}',1443546741);
INSERT INTO "reply" VALUES(2,35,1035,'{"type":"done","id":1035,"seq":189}',2863975412);
INSERT INTO "reply" VALUES(2,36,1036,'{"type":"done","id":1036,"seq":194}',1092465999);
INSERT INTO "reply" VALUES(2,37,1037,'{"type":"done","id":1037,"seq":199}',2937460512);
INSERT INTO "reply" VALUES(2,38,1038,'{"type":"done","id":1038,"seq":204}',1624600492);
INSERT INTO "reply" VALUES(2,39,1039,'{"type":"done","id":1039,"seq":209}',2396966339);
INSERT INTO "reply" VALUES(2,40,1040,'{"type":"done","id":1040,"seq":214}',1155827850);
INSERT INTO "reply" VALUES(2,41,1041,'{"type":"done","id":1041,"seq":219}',2867800805);
INSERT INTO "reply" VALUES(2,42,1042,'{"type":"done","id":1042,"seq":227}',691251408);
INSERT INTO "reply" VALUES(2,43,1043,'{"type":"done","id":1043,"seq":241}',2675537950);
INSERT INTO "reply" VALUES(2,44,1044,'{"type":"done","id":1044,"seq":242}',3639259886);
INSERT INTO "reply" VALUES(2,45,1045,'{"type":"done","id":1045,"seq":247}',4082448494);
INSERT INTO "reply" VALUES(2,46,1046,'{"type":"done","id":1046,"seq":256}',1378548077);
INSERT INTO "reply" VALUES(2,47,1047,'{"type":"done","id":1047,"seq":261}',2487009718);
INSERT INTO "reply" VALUES(2,48,1048,'{"type":"done","id":1048,"seq":263}',2283321779);
INSERT INTO "reply" VALUES(2,49,1049,'{"type":"done","id":1049,"seq":268}',1131955200);
INSERT INTO "reply" VALUES(2,50,1050,'{"type":"done","id":1050,"seq":273}',1929442889);
INSERT INTO "reply" VALUES(3,0,1,'{"type":"joined","id":1,"table":1,"seat":2}',2561105903);
INSERT INTO "reply" VALUES(3,1,1001,'{"type":"done","id":1001,"seq":8}',2726004692);
INSERT INTO "reply" VALUES(3,2,1002,'{"type":"done","id":1002,"seq":14}',304388470);
INSERT INTO "reply" VALUES(3,3,1003,'{"type":"done","id":1003,"seq":19}',3981808122);
INSERT INTO "reply" VALUES(3,4,1004,'{"type":"done","id":1004,"seq":24}',2078016064);
INSERT INTO "reply" VALUES(3,5,1005,'{"type":"done","id":1005,"seq":31}',2088307603);
INSERT INTO "reply" VALUES(3,6,1006,'{"type":"done","id":1006,"seq":32}',2044777614);
INSERT INTO "reply" VALUES(3,7,1007,'{"type":"done","id":1007,"seq":37}',1126561005);
INSERT INTO "reply" VALUES(3,8,1008,'{"type":"done","id":1008,"seq":42}',2370202608);
INSERT INTO "reply" VALUES(3,9,1009,'{"type":"done","id":1009,"seq":47}',3078835091);
INSERT INTO "reply" VALUES(3,10,1010,'{"type":"done","id":1010,"seq":52}',2116574592);
INSERT INTO "reply" VALUES(3,11,1011,'{"type":"done","id":1011,"seq":59}',2754742992);
INSERT INTO "reply" VALUES(3,12,1012,'{"type":"done","id":1012,"seq":64}',114612270);
INSERT INTO "reply" VALUES(3,13,1013,'{"type":"done","id":1013,"seq":69}',4188393634);
INSERT INTO "reply" VALUES(3,14,1014,'{"type":"done","id":1014,"seq":74}',367792248);
INSERT INTO "reply" VALUES(3,15,1015,'{"type":"done","id":1015,"seq":86}',816750451);
INSERT INTO "reply" VALUES(3,16,1016,'{"type":"done","id":1016,"seq":94}',2968194747);
INSERT INTO "reply" VALUES(3,17,1017,'{"type":"done","id":1017,"seq":99}',1335494199);
INSERT INTO "reply" VALUES(3,18,1018,'{"type":"done","id":1018,"seq":100}',3925483122);
INSERT INTO "reply" VALUES(3,19,1019,'{"type":"done","id":1019,"seq":105}',3259340018);
INSERT INTO "reply" VALUES(3,20,1020,'{"type":"done","id":1020,"seq":114}',3613892971);
INSERT INTO "reply" VALUES(3,21,1021,'{"type":"done","id":1021,"seq":119}',963379972);
INSERT INTO "reply" VALUES(3,22,1022,'{"type":"done","id":1022,"seq":124}',2818911967);
INSERT INTO "reply" VALUES(3,23,1023,'{"type":"done","id":1023,"seq":129}',1175358640);
INSERT INTO "reply" VALUES(3,24,1024,'{"type":"done","id":1024,"seq":134}',3693222083);
INSERT INTO "reply" VALUES(3,25,1025,'{"type":"done","id":1025,"seq":139}',841595564);
INSERT INTO "reply" VALUES(3,26,1026,'{"type":"done","id":1026,"seq":144}',1455436215);
INSERT INTO "reply" VALUES(3,27,1027,'{"type":"done","id":1027,"seq":145}',4061998176);
INSERT INTO "reply" VALUES(3,28,1028,'{"type":"done","id":1028,"seq":156}',1810176688);
INSERT INTO "reply" VALUES(3,29,1029,'{"type":"done","id":1029,"seq":157}',3476555623);
INSERT INTO "reply" VALUES(3,30,1030,'{"type":"done","id":1030,"seq":158}',1296174025);
INSERT INTO "reply" VALUES(3,31,1031,'{"type":"done","id":1031,"seq":163}',3246558378);
INSERT INTO "reply" VALUES(3,32,1032,'{"type":"done","id":1032,"seq":168}',840991869);
INSERT INTO "reply" VALUES(3,33,1033,'{"type":"done","id":1033,"seq":173}',3290452094);
INSERT INTO "reply" VALUES(3,34,1034,'{"type":"done","id":1034,"seq":178}',1174909537);
INSERT INTO "reply" VALUES(3,35,1035,'{"type":"done","id":1035,"seq":183}',255318019);
INSERT INTO "reply" VALUES(3,36,1036,'{"type":"done","id":1036,"seq":190}',71422347);
INSERT INTO "reply" VALUES(3,37,1037,'{"type":"done","id":1037,"seq":195}',805198603);
INSERT INTO "reply" VALUES(3,38,1038,'{"type":"done","id":1038,"seq":200}',629738344);
INSERT INTO "reply" VALUES(3,39,1039,'{"type":"done","id":1039,"seq":205}',238453224);
INSERT INTO "reply" VALUES(3,40,1040,'{"type":"done","id":1040,"seq":210}',28896334);
INSERT INTO "reply" VALUES(3,41,1041,'{"type":"done","id":1041,"seq":215}',705128142);
INSERT INTO "reply" VALUES(3,42,1042,'{"type":"done","id":1042,"seq":220}',2128241658);
INSERT INTO "reply" VALUES(3,43,1043,'{"type":"done","id":1043,"seq":228}',2802790823);
INSERT INTO "reply" VALUES(3,44,1044,'{"type":"done","id":1044,"seq":235}',1025746388);
INSERT INTO "reply" VALUES(3,45,1045,'{"type":"done","id":1045,"seq":236}',871854216);
INSERT INTO "reply" VALUES(3,46,1046,'{"type":"done","id":1046,"seq":237}',2951256123);
INSERT INTO "reply" VALUES(3,47,1047,'{"type":"done","id":1047,"seq":243}',2395711950);
INSERT INTO "reply" VALUES(3,48,1048,'{"type":"done","id":1048,"seq":248}',4024933953);
INSERT INTO "reply" VALUES(3,49,1049,'{"type":"done","id":1049,"seq":252}',2707107111);
INSERT INTO "reply" VALUES(3,50,1050,'{"type":"done","id":1050,"seq":257}',1285341677);
INSERT INTO "reply" VALUES(3,51,1051,'{"type":"done","id":1051,"seq":264}',99118689);
INSERT INTO "reply" VALUES(3,52,1052,'{"type":"done","id":1052,"seq":269}',3542169962);
INSERT INTO "reply" VALUES(4,0,1,'{"type":"joined","id":1,"table":1,"seat":3}',3457229306);
INSERT INTO "reply" VALUES(4,1,1001,'{"type":"done","id":1001,"seq":16}',3043746037);
INSERT INTO "reply" VALUES(4,2,1002,'{"type":"done","id":1002,"seq":21}',2016465519);
INSERT INTO "reply" VALUES(4,3,1003,'{"type":"done","id":1003,"seq":26}',3908844167);
INSERT INTO "reply" VALUES(4,4,1004,'{"type":"done","id":1004,"seq":27}',1929604181);
INSERT INTO "reply" VALUES(4,5,1005,'{"type":"done","id":1005,"seq":33}',3424256739);
INSERT INTO "reply" VALUES(4,6,1006,'{"type":"done","id":1006,"seq":38}',204993809);
INSERT INTO "reply" VALUES(4,7,1007,'{"type":"done","id":1007,"seq":43}',1678605905);
INSERT INTO "reply" VALUES(4,8,1008,'{"type":"done","id":1008,"seq":48}',4170271343);
INSERT INTO "reply" VALUES(4,9,1009,'{"type":"done","id":1009,"seq":53}',535508111);
INSERT INTO "reply" VALUES(4,10,1010,'{"type":"done","id":1010,"seq":61}',21547499);
INSERT INTO "reply" VALUES(4,11,1011,'{"type":"done","id":1011,"seq":66}',2441355523);
INSERT INTO "reply" VALUES(4,12,1012,'{"type":"done","id":1012,"seq":71}',639582457);
INSERT INTO "reply" VALUES(4,13,1013,'{"type":"done","id":1013,"seq":79}',4004558919);
INSERT INTO "reply" VALUES(4,14,1014,'{"type":"done","id":1014,"seq":81}',2316777166);
INSERT INTO "reply" VALUES(4,15,1015,'{"type":"done","id":1015,"seq":87}',2724706627);
INSERT INTO "reply" VALUES(4,16,1016,'{"type":"done","id":1016,"seq":90}',368892089);
INSERT INTO "reply" VALUES(4,17,1017,'{"type":"done","id":1017,"seq":95}',792328410);
INSERT INTO "reply" VALUES(4,18,1018,'{"type":"done","id":1018,"seq":101}',1248700717);
INSERT INTO "reply" VALUES(4,19,1019,'{"type":"done","id":1019,"seq":106}',3420187430);
INSERT INTO "reply" VALUES(4,20,1020,'{"type":"done","id":1020,"seq":110}',1127147014);
INSERT INTO "reply" VALUES(4,21,1021,'{"type":"done","id":1021,"seq":115}',1754360966);
INSERT INTO "reply" VALUES(4,22,1022,'{"type":"done","id":1022,"seq":120}',1011640754);
INSERT INTO "reply" VALUES(4,23,1023,'{"type":"done","id":1023,"seq":125}',401859378);
INSERT INTO "reply" VALUES(4,24,1024,'{"type":"done","id":1024,"seq":130}',1214996398);
INSERT INTO "reply" VALUES(4,25,1025,'{"type":"done","id":1025,"seq":135}',1674892590);
INSERT INTO "reply" VALUES(4,26,1026,'{"type":"done","id":1026,"seq":140}',3263788762);
INSERT INTO "reply" VALUES(4,27,1027,'{"type":"done","id":1027,"seq":146}',4219687860);
INSERT INTO "reply" VALUES(4,28,1028,'{"type":"done","id":1028,"seq":159}',682482396);
INSERT INTO "reply" VALUES(4,29,1029,'{"type":"done","id":1029,"seq":164}',2164654691);
INSERT INTO "reply" VALUES(4,30,1030,'{"type":"done","id":1030,"seq":169}',2843067974);
INSERT INTO "reply" VALUES(4,31,1031,'{"type":"done","id":1031,"seq":174}',2048806297);
INSERT INTO "reply" VALUES(4,32,1032,'{"type":"done","id":1032,"seq":179}',2899778194);
INSERT INTO "reply" VALUES(4,33,1033,'{"type":"done","id":1033,"seq":184}',3230412588);
INSERT INTO "reply" VALUES(4,34,1034,'{"type":"done","id":1034,"seq":192}',2376154206);
INSERT INTO "reply" VALUES(4,35,1035,'{"type":"done","id":1035,"seq":197}',2787030750);
INSERT INTO "reply" VALUES(4,36,1036,'{"type":"done","id":1036,"seq":202}',1055381989);
INSERT INTO "reply" VALUES(4,37,1037,'{"type":"done","id":1037,"seq":207}',358110053);
INSERT INTO "reply" VALUES(4,38,1038,'{"type":"done","id":1038,"seq":212}',2848668265);
INSERT INTO "reply" VALUES(4,39,1039,'{"type":"done","id":1039,"seq":217}',2188685545);
INSERT INTO "reply" VALUES(4,40,1040,'{"type":"done","id":1040,"seq":225}',1793963670);
INSERT INTO "reply" VALUES(4,41,1041,'{"type":"done","id":1041,"seq":231}',3297669827);
INSERT INTO "reply" VALUES(4,42,1042,'{"type":"done","id":1042,"seq":238}',2636493471);
INSERT INTO "reply" VALUES(4,43,1043,'{"type":"done","id":1043,"seq":244}',2041752453);
INSERT INTO "reply" VALUES(4,44,1044,'{"type":"done","id":1044,"seq":249}',3741193798);
INSERT INTO "reply" VALUES(4,45,1045,'{"type":"done","id":1045,"seq":253}',2420286752);
INSERT INTO "reply" VALUES(4,46,1046,'{"type":"done","id":1046,"seq":258}',1675668983);
INSERT INTO "reply" VALUES(4,47,1047,'{"type":"done","id":1047,"seq":266}',3640580774);
INSERT INTO "reply" VALUES(4,48,1048,'{"type":"done","id":1048,"seq":271}',3462691617);
CREATE TABLE server (id TEXT NOT NULL);
INSERT INTO "server" VALUES('5cb120e7d294d4b3');
CREATE TABLE session (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  token_hash BLOB NOT NULL,              -- SHA-256; the token itself is nowhere
  previous_hash BLOB,
  at_table INTEGER,
  checksum INTEGER NOT NULL
);
INSERT INTO "session" VALUES(1,'Nour',X'955F8B716B9AE37A64028E6261C880AA0A7065E99F7DA520FD02466313CB808E',NULL,1,542375041);
INSERT INTO "session" VALUES(2,'Rami',X'8AAE5375D6B9D7CDC260EC17F5C3E24776B4373D0DE3D26C38E371AF06BC657E',NULL,1,865330675);
INSERT INTO "session" VALUES(3,'Layla',X'4569E6DA9450293B252FFA01E37625369F559DB6D67B79916217CDA20C0815D4',NULL,1,2961163577);
INSERT INTO "session" VALUES(4,'Sami',X'C3C10ABDDFD3FFA75D043CD558356E762A84BF41BFC978D9E5DEE23B2854BA43',NULL,1,144907605);
PRAGMA user_version=2;
COMMIT;
