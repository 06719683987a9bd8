-- A datacentre for panel_load.py, on an empty database of Peerlens:
--   psql -v vms=1000 -f fill.sql
-- Clusters of 64 hosts of 16 VMs; of VMs five keys every 5 minutes for a day, and two properties.
begin;
insert into object (uuid, adapter_kind, object_kind, external_id, name, first_seen, properties, tags)
select gen_random_uuid(), 'VMWARE', 'ClusterComputeResource', 'vc/c-' || n, 'cluster-' || n, now(), '{}', '{}'
from generate_series(1, 1 + :vms / 1024) n;
insert into object (uuid, adapter_kind, object_kind, external_id, name, first_seen, properties, tags)
select gen_random_uuid(), 'VMWARE', 'HostSystem', 'vc/h-' || n, 'esx-' || n, now(), '{}', '{}'
from generate_series(1, 1 + :vms / 16) n;
insert into object (uuid, adapter_kind, object_kind, external_id, name, first_seen, properties, tags)
select gen_random_uuid(), 'VMWARE', 'VirtualMachine', 'vc/vm-' || n, 'vm-' || n, now(),
  jsonb_build_object('config|hardware|num_Cpu', (1 + n % 8)::text, 'summary|guest|fullName', 'OS ' || n % 7),
  jsonb_build_object('env', case when n % 3 = 0 then 'prod' else 'test' end)
from generate_series(1, :vms) n;
insert into relation (parent_id, child_id)
select h.id, v.id from object v join object h on h.external_id = 'vc/h-' || (1 + (substring(v.external_id from '[0-9]+$')::int - 1) / 16)
where v.object_kind = 'VirtualMachine' and h.object_kind = 'HostSystem';
insert into relation (parent_id, child_id)
select c.id, h.id from object h join object c on c.external_id = 'vc/c-' || (1 + (substring(h.external_id from '[0-9]+$')::int - 1) / 64)
where h.object_kind = 'HostSystem' and c.object_kind = 'ClusterComputeResource';
insert into metric_group (adapter_kind, object_kind, name, metrics, units) values
  ('VMWARE', 'VirtualMachine', 'cpu', '{usage_average,readyPct}', '{%,%}'),
  ('VMWARE', 'VirtualMachine', 'mem', '{usage_average,consumed_average}', '{%,KB}'),
  ('VMWARE', 'VirtualMachine', 'net', '{usage_average}', '{KBps}'),
  ('VMWARE', 'HostSystem', 'cpu', '{usage_average}', '{%}');
insert into metric_set (object_id, group_id, instance)
select o.id, g.id, '' from object o join metric_group g using (adapter_kind, object_kind);
insert into sample (time, set_id, values)
select date_trunc('hour', now()) - interval '24 hours' + n * interval '5 minutes', s.id,
  array(select (40 + 20 * sin(n / 40.0 + s.id) + random() * 5)::float8 from generate_series(1, array_length(g.metrics, 1)) where s.id is not null and n is not null)
from generate_series(0, 299) n, metric_set s join metric_group g on g.id = s.group_id
where date_trunc('hour', now()) - interval '24 hours' + n * interval '5 minutes' <= now();
update inventory_version set version = version + 1, sets_version = sets_version + 1;
commit;
analyze;
