-- Changes that other systems tell of, such as events and tasks of a vCenter: each is recorded once, however often it is told.

alter table recorded_change
  add column tells text[] not null default '{}';      -- other changes of its object that it tells as well: KIND/KEY/VALUE, VALUE may be *

create table change_source (
  source    text not null,                            -- who told it: a vCenter, or api/ and the name of a token
  source_id text not null,                            -- what that calls it: key of an event or task, external id
  change_id bigint not null references object_change on delete cascade,
  teller    text not null check (teller in ('event', 'task', 'failed', 'api')),  -- failed = a task that failed
  chain     bigint,                                   -- what belongs together at the source; NULL = it does not say
  primary key (source, source_id)
);
create index change_source_change on change_source (change_id);
comment on table change_source is 'Who told of a recorded change; several may have told of one.';

-- Changes of objects that are not known yet: an event of a new VM comes before its first sample.
create table event_waiting (
  source      text not null,
  source_id   text not null,
  topic       text not null,                          -- where it was read, as for a dead letter
  partition   int not null,
  "offset"    bigint not null,
  line        int not null,
  record_time timestamptz,
  object      text not null,                          -- what it is about, for people
  payload     bytea not null,
  received_at timestamptz not null,
  next_try_at timestamptz not null,
  primary key (source, source_id)
);
create index event_waiting_next on event_waiting (next_try_at);

alter table ingest_rejected drop constraint ingest_rejected_input_check;
alter table ingest_rejected add constraint ingest_rejected_input_check check (input in ('metrics', 'flows', 'events'));
