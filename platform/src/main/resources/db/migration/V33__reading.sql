-- How far ingest is, so that nothing is judged before its samples are stored, or for samples that nobody was there to take.

alter table ingest_node add column stored_until timestamptz;   -- what Kafka had then in the node's partitions is stored; NULL = none, or not known yet

create table ingest_reading (
  only_row boolean primary key default true check (only_row),
  since    timestamptz not null,                    -- begin of the time in which ingest made no pause of a minute; 1970 = it never did
  until    timestamptz not null                     -- what any node has said last of how far it is
);
comment on table ingest_reading is 'Since when ingest has been reading without a pause.';
