-- As V45 for rules: a writer of the service moves the number once, at its end.
create or replace function super_metric_changed() returns trigger
language plpgsql as $$
begin
  if current_setting('peerlens.late_super_metric_version', true) = 'moves' then
    perform set_config('peerlens.late_super_metric_version', 'moved', true);
  elsif current_setting('peerlens.late_super_metric_version', true) is distinct from 'moved' then
    update super_metric_version set version = version + 1;
  end if;
  return null;
end $$;
