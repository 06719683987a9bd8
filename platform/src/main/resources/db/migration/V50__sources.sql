-- Sources that Peerlens reads itself, such as a vCenter, who reads them, and how that goes.

-- Moves with every change of a source, a pause as well, so that collectors see cheaply whether anything changed.
create table source_version (
  one     boolean primary key default true check (one),
  version bigint not null
);
insert into source_version (version) values (0);

create function source_changed() returns trigger
language plpgsql as $$
begin
  if current_setting('peerlens.late_source_version', true) = 'moves' then
    perform set_config('peerlens.late_source_version', 'moved', true);
  elsif current_setting('peerlens.late_source_version', true) is distinct from 'moved' then
    update source_version set version = version + 1;
  end if;
  return null;
end $$;

create table source (
  id         uuid primary key,
  name       text not null,
  kind       text generated always as (definition ->> 'kind') stored,
  definition jsonb not null,                          -- as the API writes it; the password is the name of a secret
  form       smallint not null default 1,             -- the number of the form in which it is written (StoredForms)
  pack       text,
  version    bigint not null default 1,               -- the ETag
  paused_at  timestamptz,                             -- NULL = it is read
  paused_by  text,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null
);
create unique index source_name on source (lower(name));
comment on table source is 'Sources that Peerlens reads itself.';

-- One row for each version, the present one included; stays when the source is removed.
create table source_history (
  source_id  uuid not null,
  version    bigint not null,
  action     text not null check (action in ('created', 'changed', 'imported', 'restored', 'deleted')),
  at         timestamptz not null,
  by         text not null,
  name       text not null,
  definition jsonb not null,
  form       smallint not null default 1,
  pack       text,
  primary key (source_id, version)
);

create trigger source_changed after insert or update or delete on source
  for each statement execute function source_changed();

-- Processes that read sources. One that has said nothing for the time of a lease is taken for dead.
create table collector_node (
  holder     uuid primary key,                        -- of this run of the process
  node       text not null,                           -- its name
  started_at timestamptz not null,
  updated_at timestamptz not null,                    -- by the clock of the database, as all leases are
  kinds      text[] not null                          -- what it can read
);

-- Who reads a source. Whoever finds a lease that has ended may take it.
create table source_lease (
  source_id   uuid primary key references source on delete cascade,
  holder      uuid not null,
  node        text not null,
  taken_at    timestamptz not null,
  lease_until timestamptz not null
);
create index source_lease_holder on source_lease (holder);

-- Where reading goes on, by part; a text of the collector.
create table source_position (
  source_id  uuid not null references source on delete cascade,
  part       text not null,
  value      text not null,
  updated_at timestamptz not null,
  primary key (source_id, part)
);

-- The newest round of each part.
create table source_state (
  source_id uuid not null references source on delete cascade,
  part      text not null,                            -- configuration, events, performance, alarms; collector = its start and end
  last_at   timestamptz not null,                     -- end of the newest round, good or bad
  good_at   timestamptz,                              -- end of the newest good round; NULL = there was none
  took_ms   bigint not null,
  intervals bigint[] not null,                        -- ms between the newest rounds, five at most, the newest first
  objects   bigint not null,
  samples   bigint not null,
  failures  bigint not null,                          -- bad rounds in a row; 0 = the newest was good
  error     jsonb,                                    -- {"code", "what", "whatNow", "whatToDo"} of the newest round; NULL = none
  failing_since timestamptz,
  primary key (source_id, part)
);

-- Errors of a week; the same error of rounds in a row is one row.
create table source_error (
  id        bigint generated always as identity primary key,
  source_id uuid not null references source on delete cascade,
  part      text not null,
  error     jsonb not null,
  first_at  timestamptz not null,
  last_at   timestamptz not null,
  count     bigint not null
);
create index source_error_last on source_error (last_at desc, id desc);
create index source_error_source on source_error (source_id, part, id desc);
