-- Load profiles: what storage is asked for, from history.
create table load_profile (
  id         uuid primary key,
  job_id     uuid not null,
  request    jsonb not null,
  state      text not null check (state in ('computing', 'done', 'failed')),
  error      text,                                     -- why it failed
  machines   int not null default 0,
  created_at timestamptz not null,
  created_by text not null,
  result     bytea                                     -- profiles of groups, JSON compressed with gzip; NULL = not there yet
);
create index on load_profile (created_at desc, id);
comment on table load_profile is 'Load profiles that people asked for.';
