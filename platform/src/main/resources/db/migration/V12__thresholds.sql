-- Thresholds, the groups that scopes may name, and the symptoms that are not at rest.

-- Moves with every change of any rule or of what rules refer to, so that evaluators see cheaply whether anything changed.
-- A tick that was computed with an older number is not stored.
create table rule_version (
  one     boolean primary key default true check (one),
  version bigint not null
);
insert into rule_version (version) values (0);

create function rule_changed() returns trigger
language plpgsql as $$
begin
  update rule_version set version = version + 1;
  return null;
end $$;

-- A scope with a name, as custom groups of vRealize Operations.
create table object_group (
  id          uuid primary key,
  name        text not null,
  description text,
  scope       jsonb not null,                          -- as the API writes it
  version     bigint not null default 1,               -- the ETag
  created_at  timestamptz not null,
  created_by  text not null,
  updated_at  timestamptz not null,
  updated_by  text not null,
  unique (name) deferrable initially deferred          -- an import may exchange names
);
create trigger object_group_changed after insert or update or delete on object_group
  for each statement execute function rule_changed();
comment on table object_group is 'Scopes with a name, which rules may refer to.';

create table threshold (
  id          uuid primary key,                        -- the same in every installation that has it
  name        text not null,
  definition  jsonb not null,                          -- as the API and rules files write it
  pack        text,                                    -- the pack it came with
  version     bigint not null default 1,               -- the ETag
  created_at  timestamptz not null,
  created_by  text not null,
  updated_at  timestamptz not null,
  updated_by  text not null,
  unique (name) deferrable initially deferred
);
create trigger threshold_changed after insert or update or delete on threshold
  for each statement execute function rule_changed();
comment on table threshold is 'Conditions on a metric or property of every object of a kind; each object that meets one has a symptom.';

-- One row for each version, the present one included; stays when the threshold is deleted.
create table threshold_history (
  threshold_id uuid not null,
  version      bigint not null,
  action       text not null check (action in ('created', 'changed', 'imported', 'restored', 'deleted')),
  at           timestamptz not null,
  by           text not null,
  name         text not null,
  definition   jsonb not null,
  pack         text,
  primary key (threshold_id, version)
);

-- How the last tick of a threshold went. Written by the evaluation loop, read by the API. A tick that is not behind this
-- one is not counted again, whichever shard asks for it.
create table threshold_state (
  threshold_id uuid primary key,
  tick         timestamptz not null,
  objects      int not null,                           -- objects in scope
  instances    int not null,                           -- values that were judged
  unknown      int not null,                           -- objects in scope of which nothing is known
  information  int not null,                           -- open symptoms by severity
  warning      int not null,
  immediate    int not null,
  critical     int not null,
  nanos        bigint not null,
  error        text                                    -- why nothing was judged; NULL = it was
);

-- A symptom that is not at rest: it is open, or one of the last samples violated its threshold. Without foreign keys, so that
-- a tick never fails because somebody deletes what it has just judged.
create table symptom (
  threshold_id uuid not null,
  object_id    int not null,
  instance     text not null default '',               -- whole key of the instance; '' = the threshold judges no instances
  severity     smallint not null,                      -- 0 = not open, 1 = information to 4 = critical
  history      text not null,                          -- severity that each of the last samples violated, oldest first
  runs         timestamptz[] not null,                 -- for each severity since when samples violate it; NULL = they do not
  good         int not null,                           -- samples in a row that did not hold the severity
  good_held    smallint not null,                      -- worst severity that these still held
  since        timestamptz,                            -- first violating sample of an open symptom
  last_sample  timestamptz,                            -- the one that was counted last; not moved by samples that change nothing
  value        float8,                                 -- of that sample
  text         text,
  bound        float8,
  upper        float8,
  updated_at   timestamptz not null,                   -- the tick that wrote this
  primary key (threshold_id, object_id, instance)
);
create index symptom_object on symptom (object_id);
