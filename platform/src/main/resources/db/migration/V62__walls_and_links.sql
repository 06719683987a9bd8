-- Screens on walls and public links: tokens that may do what the contract lists for them, and nothing else. Playlists of dashboards.

alter table api_token drop constraint api_token_role_check;
alter table api_token add constraint api_token_role_check
  check (role in ('viewer', 'operator', 'admin', 'ingest', 'screen', 'link'));
alter table api_token add column bound_to uuid;             -- the one dashboard that a link reads
alter table api_token add constraint api_token_bound_check check ((role = 'link') = (bound_to is not null));
create index on api_token (bound_to) where bound_to is not null;

-- What a link shows of its dashboard; its name, its end and whether it was revoked are those of its token.
create table dashboard_link (
  token_id   uuid primary key references api_token on delete cascade,
  definition json not null                                  -- values of variables that it fixes, and variables that its readers choose
);
comment on table dashboard_link is 'Public links to dashboards.';

create table playlist (
  id         uuid primary key,
  name       text not null,
  definition json not null,                                 -- as the API writes it
  form       smallint not null default 1,                   -- of the definition (StoredForms)
  pack       text,
  version    bigint not null default 1,                     -- the ETag
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null
);
comment on table playlist is 'Playlists: dashboards that walls show in turn.';

-- One row for each version, the present one included; stays when the playlist is deleted.
create table playlist_history (
  playlist_id uuid not null,
  version     bigint not null,
  action      text not null check (action in ('created', 'changed', 'imported', 'restored', 'deleted')),
  at          timestamptz not null,
  by          text not null,
  name        text not null,
  definition  json not null,
  form        smallint not null default 1,
  pack        text,
  primary key (playlist_id, version)
);

create trigger dashboard_changed after insert or update or delete on playlist
  for each statement execute function dashboard_changed();
