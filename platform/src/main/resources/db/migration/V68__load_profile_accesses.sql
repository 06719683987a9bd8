-- What load profiles are made of, and what people add to them of accesses.
alter table load_profile add column members bytea;     -- machines of each group and their figures, JSON compressed with gzip; NULL = computed before they were kept
create table load_profile_accesses (
  id           uuid primary key,
  profile_id   uuid not null references load_profile on delete cascade,
  kind         text not null check (kind in ('vscsi-stats', 'run')),
  group_name   text,                                   -- of which group; NULL = of a machine or of all
  machine_id   int references object on delete cascade,-- of which machine; NULL = of a group or of all
  run_id       uuid,                                   -- which run; NULL = vscsiStats
  pattern      jsonb not null,
  problems     jsonb not null default '[]',
  added_at     timestamptz not null,
  added_by     text not null
);
create unique index on load_profile_accesses (profile_id, kind, coalesce(group_name, ''), coalesce(machine_id, 0));
comment on table load_profile_accesses is 'Randomness, working set and sizes that people added to load profiles.';
