-- Who did what, from where, with which outcome. Entries are only ever added; audit_forget alone removes the oldest.

create sequence audit_entry_id;

create table audit_entry (
  id             bigint primary key,                  -- of audit_append
  at             timestamptz not null,
  until          timestamptz,                         -- of the last of several attempts
  count          integer not null check (count > 0),
  token_id       uuid,                                -- no reference: entries outlive what they tell of
  token_name     text,
  role           text,
  session        text,
  address        text,
  user_agent     text,
  request_id     text,
  operation      text not null,
  kind           text,
  object         text,
  object_name    text,
  related        text[] not null,                     -- ids of all that it was about
  outcome        text not null check (outcome in ('succeeded', 'refused', 'failed', 'unknown')),
  status         integer,
  error          text,
  version_before bigint,
  version_after  bigint,
  details        jsonb not null
);
comment on table audit_entry is 'Who did what, from where, with which outcome; entries are only added.';
create index audit_entry_at on audit_entry (at, id);
create index audit_entry_related on audit_entry using gin (related);

-- Numbers are given under a lock that writers share, so whoever holds it alone for a moment knows that no entry up to the
-- greatest number is still to come. The export reads by that.
create function audit_append() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(5737462001);
  new.id := nextval('audit_entry_id');
  return new;
end
$$;
create trigger audit_append before insert on audit_entry for each row execute function audit_append();

create function audit_refuse() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if current_setting('peerlens.audit_forget', true) = 'on' and old.at < now() - interval '1 day' then
      return old;
    end if;
  end if;
  raise exception 'The audit log only grows: % is refused', lower(tg_op) using errcode = 'insufficient_privilege';
end
$$;
create trigger audit_refuse before update or delete on audit_entry for each row execute function audit_refuse();
create trigger audit_refuse_truncate before truncate on audit_entry for each statement execute function audit_refuse();

-- Removes the oldest entries of before a moment, so many at most; tells how many.
create function audit_forget(before timestamptz, most integer) returns integer language plpgsql as $$
declare
  gone integer;
begin
  perform set_config('peerlens.audit_forget', 'on', true); -- a clause of the function would need a superuser
  delete from audit_entry where id in (select id from audit_entry where at < before order by at limit most);
  get diagnostics gone = row_count;
  perform set_config('peerlens.audit_forget', 'off', true);
  return gone;
end
$$;

-- Operations that have begun: an entry is made of them when they end, or when it is clear that they never will.
create table audit_open (
  id         uuid primary key,
  started_at timestamptz not null,
  entry      jsonb not null                           -- as the entry will be
);

-- How far each export has come.
create table audit_export (
  name     text primary key,
  after_id bigint not null
);
