-- A writer of the service moves the number once, at its end, so that ticks wait for its last statements only (ChangeNumberStore.write). Whoever
-- changes rows by hand says nothing of that, and the number moves with each of his statements as before.
create or replace function rule_changed() returns trigger
language plpgsql as $$
begin
  if current_setting('peerlens.late_rule_version', true) = 'moves' then
    perform set_config('peerlens.late_rule_version', 'moved', true);
  elsif current_setting('peerlens.late_rule_version', true) is distinct from 'moved' then
    update rule_version set version = version + 1;
  end if;
  return null;
end $$;

create or replace function notification_changed() returns trigger
language plpgsql as $$
begin
  if current_setting('peerlens.late_notification_version', true) = 'moves' then
    perform set_config('peerlens.late_notification_version', 'moved', true);
  elsif current_setting('peerlens.late_notification_version', true) is distinct from 'moved' then
    update notification_version set version = version + 1;
  end if;
  return null;
end $$;
