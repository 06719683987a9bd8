-- An object that goes silent, and one that comes back, have an entry in their history (old_value and new_value are
-- 'reporting' and 'silent').

alter table object_liveness
  add column silent_since timestamptz,  -- last sample before the silence that its history tells of; NULL = it tells of none
  add column returned_at  timestamptz;  -- first sample after it, until the history tells of that as well
create index object_liveness_silent on object_liveness (object_id) where silent_since is not null;

alter table object_change drop constraint object_change_kind_check;
alter table object_change add constraint object_change_kind_check
  check (kind in ('new', 'name', 'property', 'tag', 'placement', 'recorded', 'reporting'));
