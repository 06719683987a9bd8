-- Sessions can be listed and ended one by one, tokens of one name be told apart, and screens that wait are no tokens any more.

alter table api_token add column start text;
comment on column api_token.start is 'first characters of the secret, to tell tokens apart; NULL = made before they were kept';

alter table browser_session
  add column id uuid not null default gen_random_uuid() unique,
  add column address text,
  add column agent text;
comment on column browser_session.address is 'where the sign-in came from';
comment on column browser_session.agent is 'what the browser calls itself';

create table pairing (
  id          uuid primary key,
  secret_hash bytea not null unique,
  code        text not null,                          -- a name made of it; no secret, as the screen shows it
  network     text not null,                          -- where it was asked for, so that each has its share
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  token_id    uuid references api_token on delete cascade -- NULL = nobody has approved it yet
);
create index pairing_code on pairing (code);
comment on table pairing is 'Screens that wait for somebody to approve their code; the session is opened with the token that the approval makes.';

-- Those that wait were tokens that were revoked when they were made.
insert into pairing (id, secret_hash, code, network, created_at, expires_at)
select id, secret_hash, substr(created_by, 9), '', created_at, expires_at
from api_token
where created_by like 'pairing %' and revoked_at = created_at and role = 'viewer' and expires_at is not null;
delete from api_token where created_by like 'pairing %' and revoked_at = created_at and role = 'viewer' and expires_at is not null;
