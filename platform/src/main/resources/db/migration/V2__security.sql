-- Who may use the API. Secrets are kept as SHA-256: they are 256 random bits, so a slow hash adds nothing.

create table api_token (
  id           uuid primary key,
  name         text not null,
  role         text not null check (role in ('viewer', 'operator', 'admin')),
  secret_hash  bytea not null unique,
  created_at   timestamptz not null,
  created_by   text not null,
  expires_at   timestamptz,                           -- NULL = never
  last_used_at timestamptz,                           -- to the minute
  revoked_at   timestamptz
);
comment on table api_token is 'API tokens of people and programs; revoked ones stay as a record.';

create table browser_session (
  secret_hash  bytea primary key,
  token_id     uuid not null references api_token on delete cascade,
  created_at   timestamptz not null,
  expires_at   timestamptz not null,                  -- at the latest, however much it is used
  last_used_at timestamptz not null                   -- to the minute
);
create index browser_session_token on browser_session (token_id);
