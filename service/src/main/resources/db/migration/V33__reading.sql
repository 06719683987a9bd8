-- How far ingest is, so that nothing is judged before its samples are stored, or for samples that nobody was there to take.

alter table ingest_node add column stored_until timestamptz;   -- what Kafka had then in the node's partitions is stored; NULL = none, or not known yet

create table ingest_reading (
  only_row boolean primary key default true check (only_row),
  since    timestamptz not null,                    -- begin of the time in which ingest made no pause of a minute; 1970 = it never did
  until    timestamptz not null                     -- what any node has said last of how far it is
);
comment on table ingest_reading is 'Since when ingest has been reading without a pause.';

-- An installation that has been reading until now made its last report then.
insert into ingest_reading (since, until)
select to_timestamp(0), max(updated_at) from ingest_node having max(updated_at) is not null;
