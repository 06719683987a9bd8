-- The path of a sample: objects, metric groups and sets, samples, offsets, dead letters.
-- Runs on TimescaleDB (hypertables) and on plain PostgreSQL (the same tables, not partitioned).

-- Inventory -------------------------------------------------------------------------------------

create table object (
  id              int generated always as identity primary key,
  uuid            uuid not null unique,               -- name-based: adapter kind, object kind, external id
  adapter_kind    text not null,
  object_kind     text not null,
  external_id     text not null,                      -- vCenter and moid; the host name of an agent
  name            text not null,
  locator         text,                               -- what other objects' tags call this one, see object_reference
  properties      jsonb not null default '{}',        -- text values by name
  tags            jsonb not null default '{}',
  attributes_time timestamptz not null,               -- newest sample whose name, tags, properties were taken over
  first_seen      timestamptz not null,
  unique (adapter_kind, object_kind, external_id)
);
create index object_kind_name on object (adapter_kind, object_kind, name);
create index object_locator on object (adapter_kind, object_kind, locator) where locator is not null;
create index object_tags on object using gin (tags jsonb_path_ops);
create index object_properties on object using gin (properties jsonb_path_ops);
comment on table object is 'Everything that is watched: VMs, hosts, clusters, datastores, agents.';

-- Kept apart from object because it changes with every batch and the rest hardly ever does.
create table object_liveness (
  object_id int primary key references object on delete cascade,
  last_seen timestamptz not null                      -- newest sample time, exact to 30 s
) with (fillfactor = 50);

-- A collector names a VM's host, not its id. The reference stays; relation holds what it resolves to.
create table object_reference (
  object_id    int not null references object on delete cascade,
  role         text not null check (role in ('parent', 'child')), -- what the other one is to this object
  adapter_kind text not null,
  object_kind  text not null,
  locator      text not null,
  last_seen    timestamptz not null,
  primary key (object_id, role, adapter_kind, object_kind, locator)
);
create index object_reference_target on object_reference (adapter_kind, object_kind, locator);

create table relation (
  parent_id int not null references object on delete cascade,
  child_id  int not null references object on delete cascade,
  primary key (parent_id, child_id)
);
create index relation_child on relation (child_id);

-- What the references from and to some objects say now, by locator or, where a producer knows it, by external id.
-- Every branch begins at the given objects, so that one VM that moves costs a few index look-ups, not a scan.
create function resolved_references(ids int[]) returns table (parent_id int, child_id int)
language sql stable parallel safe as $$
  with met as (
    select r.object_id as from_id, r.role, t.id as to_id
    from object_reference r
    join object t on (t.adapter_kind, t.object_kind, t.locator) = (r.adapter_kind, r.object_kind, r.locator)
    where r.object_id = any (ids)
    union
    select r.object_id, r.role, t.id
    from object_reference r
    join object t on (t.adapter_kind, t.object_kind, t.external_id) = (r.adapter_kind, r.object_kind, r.locator)
    where r.object_id = any (ids)
    union
    select r.object_id, r.role, t.id
    from object t
    join object_reference r on (r.adapter_kind, r.object_kind, r.locator) = (t.adapter_kind, t.object_kind, t.locator)
    where t.id = any (ids)
    union
    select r.object_id, r.role, t.id
    from object t
    join object_reference r on (r.adapter_kind, r.object_kind, r.locator) = (t.adapter_kind, t.object_kind, t.external_id)
    where t.id = any (ids)
  )
  select case role when 'parent' then to_id else from_id end, case role when 'parent' then from_id else to_id end
  from met where from_id <> to_id
$$;

create table object_change (
  id        bigint generated always as identity primary key,
  time      timestamptz not null,
  object_id int not null references object on delete cascade,
  kind      text not null check (kind in ('new', 'name', 'property', 'tag', 'placement')),
  key       text,                                     -- property or tag name; the parent's kind for placement
  old_value text,
  new_value text
);
create index object_change_time on object_change (time);
create index object_change_object on object_change (object_id, time);

-- Metrics ---------------------------------------------------------------------------------------

-- Positions are append-only: metrics[3] means the same for ever.
create table metric_group (
  id           int generated always as identity primary key,
  adapter_kind text not null,
  object_kind  text not null,
  name         text not null,
  metrics      text[] not null default '{}',
  units        text[] not null default '{}',          -- same positions; NULL element = unknown
  unique (adapter_kind, object_kind, name)
);

create table metric_set (
  id        int generated always as identity primary key,
  object_id int not null references object on delete cascade,
  group_id  int not null references metric_group,
  instance  text not null default '',                 -- '' = the aggregate
  unique (object_id, group_id, instance)
);
create index metric_set_group on metric_set (group_id);

-- One row per metric set and moment. values[i] belongs to metric_group.metrics[i]; NULL = no value;
-- an array may be shorter than the group.
create table sample (
  time   timestamptz not null,
  set_id int not null,
  values float8[] not null
);

-- Adds what is new in the second array to the first: position by position, the newer value wins.
create function merge_values(old float8[], new float8[]) returns float8[]
language sql immutable parallel safe as $$
  select array_agg(coalesce(n, o) order by i) from unnest(old, new) with ordinality as t(o, n, i)
$$;

-- Kafka -----------------------------------------------------------------------------------------

-- Written in the transaction that writes the samples. A consumer starts here, not at Kafka's own offset.
create table kafka_offset (
  topic       text not null,
  partition   int not null,
  next_offset bigint not null,
  node        text not null,
  updated_at  timestamptz not null,
  primary key (topic, partition)
);

create table dead_letter (
  id           bigint generated always as identity primary key,
  received_at  timestamptz not null,
  topic        text not null,
  partition    int not null,
  "offset"     bigint not null,
  line         int not null,                          -- from 1 within the record
  record_time  timestamptz,                           -- Kafka's timestamp of the record; NULL = it had none
  reason       text not null,
  detail       text not null,
  payload      bytea not null,
  published_at timestamptz,                           -- when it reached the dead-letter topic
  replayed_at  timestamptz,
  unique (topic, partition, "offset", line)
);
create index dead_letter_received on dead_letter (received_at);
create index dead_letter_reason on dead_letter (reason, id);
create index dead_letter_unpublished on dead_letter (id) where published_at is null;

-- Hypertable, or what plain PostgreSQL has ------------------------------------------------------

do $$
begin
  if exists (select from pg_available_extensions where name = 'timescaledb') then
    create extension if not exists timescaledb;
    perform create_hypertable('sample', 'time', chunk_time_interval => interval '1 day', create_default_indexes => false);
  end if;
end $$;

create unique index sample_set_time on sample (set_id, time);
-- Data arrive nearly in time order, so a few pages of BRIN find a moment of all sets.
create index sample_time on sample using brin (time) with (pages_per_range = 32, autosummarize = on);
