-- Super metrics: definitions, every earlier version of them, and how their last tick went.

create table super_metric (
  id                uuid primary key,                 -- the same in every installation; formulas refer to it
  name              text not null,
  formula           text not null,                    -- byte for byte as written; may be wrong
  description       text,                             -- NULL = the file has no such member, as below
  unit_id           text,
  modified_by       text,                             -- of the file
  modification_time bigint,                           -- of the file, milliseconds since 1970; 0 = unknown
  kinds             json,                             -- resourceKinds as in the file; json keeps what jsonb would sort
  other             json not null default '{}',       -- members of the file that the format does not know
  tags              text[] not null default '{}',
  owner             text,
  pack              text,                             -- the pack it came with
  enabled           boolean not null default true,
  policy            jsonb not null default '[]',      -- rules in order, the last that matches an object decides
  interval_s        int not null default 60 check (interval_s >= 5 and interval_s % 5 = 0),
  version           bigint not null default 1,        -- the ETag
  created_at        timestamptz not null,
  created_by        text not null,
  updated_at        timestamptz not null,
  updated_by        text not null,
  unique (name) deferrable initially deferred         -- an import may exchange names
);
comment on table super_metric is 'Formulas that are computed for every object of a kind.';

-- One row for each version, the present one included; stays when the super metric is deleted.
create table super_metric_history (
  super_metric_id   uuid not null,
  version           bigint not null,
  action            text not null check (action in ('created', 'changed', 'imported', 'policy', 'restored', 'deleted')),
  at                timestamptz not null,
  by                text not null,
  name              text not null,
  formula           text not null,
  description       text,
  unit_id           text,
  modified_by       text,
  modification_time bigint,
  kinds             json,
  other             json not null,
  tags              text[] not null,
  owner             text,
  pack              text,
  enabled           boolean not null,
  policy            jsonb not null,
  interval_s        int not null,
  primary key (super_metric_id, version)
);

-- Written by the evaluation loop, read by the API. Without a foreign key, so that a tick never fails
-- because somebody deletes what it has just computed.
create table super_metric_state (
  super_metric_id uuid not null,
  adapter_kind    text not null,
  object_kind     text not null,
  tick            timestamptz not null,
  computed        int not null,                       -- objects with a value
  no_data         jsonb not null default '{}',        -- objects without one, by reason
  nanos           bigint not null,
  error           text,                               -- why nothing was computed; NULL = it was
  primary key (super_metric_id, adapter_kind, object_kind)
);

-- Moves with every change of super_metric, so that evaluators see cheaply whether anything changed.
create table super_metric_version (
  one     boolean primary key default true check (one),
  version bigint not null
);
insert into super_metric_version (version) values (0);

create function super_metric_changed() returns trigger
language plpgsql as $$
begin
  update super_metric_version set version = version + 1;
  return null;
end $$;
create trigger super_metric_changed after insert or update or delete on super_metric
  for each statement execute function super_metric_changed();
