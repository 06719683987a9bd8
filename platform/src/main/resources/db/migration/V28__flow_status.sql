-- When ends of flows and their observers were met last: to the hour for ends, which are many, to the minute for
-- observers.
alter table endpoint add column last_seen timestamptz not null default now();
alter table flow_observer add column last_seen timestamptz not null default now();

-- What of the rejected was metrics and what flows.
alter table ingest_rejected add column input text not null default 'metrics' check (input in ('metrics', 'flows'));
alter table ingest_rejected drop constraint ingest_rejected_pkey;
alter table ingest_rejected add primary key (minute, reason, node, input);

-- What nodes report of their reading of flows, as ingest_node and ingest_rate are of samples.
create table flow_node (
  node         text primary key,
  updated_at   timestamptz not null,
  partitions   jsonb not null,       -- [{"topic", "partition", "lag", "recordsPerSecond"}]
  beyond_guard bigint not null,      -- times an internal address got no object since the node started
  trouble      text not null         -- what keeps it from storing; '' = nothing
);
create table flow_rate (
  time    timestamptz not null,      -- end of some ten seconds
  node    text not null,
  seconds float8 not null,           -- how many they were
  records bigint not null,           -- Kafka records
  bytes   bigint not null,           -- of the Kafka records
  flows   bigint not null,           -- flow records
  rows    bigint not null,           -- sums by minute
  late    bigint not null,           -- of those, into 5 minutes that may have been rolled up before
  lag     bigint not null,           -- records waiting in the node's partitions at the end
  millis  float8,                    -- mean time of a commit; NULL = there was none
  primary key (time, node)
);

-- What people call a service, as io.peerlens.ingest.flow.ServicePorts knows it, which a test holds against this.
create table flow_service (
  protocol smallint not null,        -- 6 also stands for SCTP and DCCP, 17 for UDP-Lite
  port     int not null,             -- of ICMP: type * 256
  name     text not null,
  primary key (protocol, port)
);
insert into flow_service values
  (6, 9, 'discard'), (6, 20, 'ftp-data'), (6, 21, 'ftp'), (6, 22, 'ssh'), (6, 23, 'telnet'), (6, 25, 'smtp'),
  (6, 43, 'whois'), (6, 49, 'tacacs'), (6, 53, 'dns'), (6, 79, 'finger'), (6, 80, 'http'), (6, 88, 'kerberos'),
  (6, 110, 'pop3'), (6, 111, 'rpcbind'), (6, 113, 'ident'), (6, 119, 'nntp'), (6, 135, 'msrpc'),
  (6, 137, 'netbios-ns'), (6, 138, 'netbios-dgm'), (6, 139, 'netbios-ssn'), (6, 143, 'imap'), (6, 161, 'snmp'),
  (6, 162, 'snmptrap'), (6, 179, 'bgp'), (6, 389, 'ldap'), (6, 427, 'slp'), (6, 443, 'https'), (6, 445, 'smb'),
  (6, 464, 'kpasswd'), (6, 465, 'smtps'), (6, 502, 'modbus'), (6, 514, 'rsh'), (6, 515, 'lpd'), (6, 548, 'afp'),
  (6, 554, 'rtsp'), (6, 563, 'nntps'), (6, 587, 'submission'), (6, 593, 'http-rpc'), (6, 631, 'ipp'),
  (6, 636, 'ldaps'), (6, 646, 'ldp'), (6, 749, 'kerberos-adm'), (6, 830, 'netconf'), (6, 853, 'dns-tls'),
  (6, 860, 'iscsi'), (6, 873, 'rsync'), (6, 902, 'vmware-auth'), (6, 903, 'vmware-console'), (6, 989, 'ftps-data'),
  (6, 990, 'ftps'), (6, 992, 'telnets'), (6, 993, 'imaps'), (6, 995, 'pop3s'), (6, 1080, 'socks'),
  (6, 1194, 'openvpn'), (6, 1344, 'icap'), (6, 1352, 'lotusnotes'), (6, 1433, 'mssql'), (6, 1494, 'citrix-ica'),
  (6, 1521, 'oracle'), (6, 1720, 'h323'), (6, 1723, 'pptp'), (6, 1883, 'mqtt'), (6, 1935, 'rtmp'), (6, 2000, 'sccp'),
  (6, 2049, 'nfs'), (6, 2181, 'zookeeper'), (6, 2375, 'docker'), (6, 2376, 'docker-tls'), (6, 2377, 'docker-swarm'),
  (6, 2379, 'etcd'), (6, 2380, 'etcd-peer'), (6, 2484, 'oracle-tls'), (6, 2598, 'citrix-session'),
  (6, 3000, 'grafana'), (6, 3128, 'squid'), (6, 3260, 'iscsi'), (6, 3268, 'ldap-gc'), (6, 3269, 'ldaps-gc'),
  (6, 3300, 'ceph-mon'), (6, 3306, 'mysql'), (6, 3389, 'rdp'), (6, 3478, 'stun'), (6, 3690, 'svn'),
  (6, 3868, 'diameter'), (6, 4222, 'nats'), (6, 4369, 'epmd'), (6, 4739, 'ipfix'), (6, 5001, 'iperf'),
  (6, 5044, 'beats'), (6, 5060, 'sip'), (6, 5061, 'sips'), (6, 5201, 'iperf3'), (6, 5222, 'xmpp'),
  (6, 5269, 'xmpp-server'), (6, 5349, 'stuns'), (6, 5355, 'llmnr'), (6, 5432, 'postgresql'),
  (6, 5480, 'vmware-vami'), (6, 5601, 'kibana'), (6, 5666, 'nrpe'), (6, 5671, 'amqps'), (6, 5672, 'amqp'),
  (6, 5693, 'ncpa'), (6, 5723, 'scom'), (6, 5900, 'vnc'), (6, 5938, 'teamviewer'), (6, 5984, 'couchdb'),
  (6, 5985, 'winrm'), (6, 5986, 'winrm-tls'), (6, 6000, 'x11'), (6, 6379, 'redis'), (6, 6443, 'kubernetes'),
  (6, 6514, 'syslog-tls'), (6, 6640, 'ovsdb'), (6, 6653, 'openflow'), (6, 6667, 'irc'), (6, 6789, 'ceph-mon-v1'),
  (6, 7000, 'cassandra'), (6, 7001, 'cassandra-tls'), (6, 7077, 'spark'), (6, 7474, 'neo4j'), (6, 7687, 'bolt'),
  (6, 7946, 'docker-gossip'), (6, 8000, 'vmware-vmotion'), (6, 8006, 'proxmox'), (6, 8008, 'http-alt'),
  (6, 8080, 'http-proxy'), (6, 8086, 'influxdb'), (6, 8089, 'splunkd'), (6, 8123, 'clickhouse-http'),
  (6, 8125, 'statsd'), (6, 8140, 'puppet'), (6, 8200, 'vault'), (6, 8300, 'consul-rpc'), (6, 8301, 'consul-serf'),
  (6, 8443, 'https-alt'), (6, 8500, 'consul'), (6, 8530, 'wsus'), (6, 8531, 'wsus-tls'), (6, 8600, 'consul-dns'),
  (6, 8883, 'mqtts'), (6, 9000, 'clickhouse'), (6, 9042, 'cassandra-cql'), (6, 9090, 'prometheus'),
  (6, 9092, 'kafka'), (6, 9093, 'alertmanager'), (6, 9100, 'printer-raw'), (6, 9200, 'elasticsearch'),
  (6, 9300, 'elasticsearch-node'), (6, 9389, 'adws'), (6, 9418, 'git'), (6, 9443, 'vsphere-client'),
  (6, 9997, 'splunk-in'), (6, 10000, 'ndmp'), (6, 10050, 'zabbix-agent'), (6, 10051, 'zabbix'),
  (6, 10250, 'kubelet'), (6, 11211, 'memcached'), (6, 15672, 'rabbitmq-admin'), (6, 16509, 'libvirt'),
  (6, 16514, 'libvirt-tls'), (6, 24007, 'glusterd'), (6, 25672, 'rabbitmq-peer'), (6, 26257, 'cockroachdb'),
  (6, 27017, 'mongodb'), (17, 9, 'discard'), (17, 49, 'tacacs'), (17, 53, 'dns'), (17, 67, 'dhcp'),
  (17, 68, 'dhcp-client'), (17, 69, 'tftp'), (17, 80, 'http'), (17, 88, 'kerberos'), (17, 111, 'rpcbind'),
  (17, 123, 'ntp'), (17, 135, 'msrpc'), (17, 137, 'netbios-ns'), (17, 138, 'netbios-dgm'), (17, 139, 'netbios-ssn'),
  (17, 161, 'snmp'), (17, 162, 'snmptrap'), (17, 177, 'xdmcp'), (17, 319, 'ptp-event'), (17, 320, 'ptp-general'),
  (17, 389, 'ldap'), (17, 427, 'slp'), (17, 443, 'https'), (17, 464, 'kpasswd'), (17, 500, 'ike'),
  (17, 514, 'syslog'), (17, 520, 'rip'), (17, 521, 'ripng'), (17, 546, 'dhcpv6-client'), (17, 547, 'dhcpv6'),
  (17, 554, 'rtsp'), (17, 623, 'ipmi'), (17, 631, 'ipp'), (17, 646, 'ldp'), (17, 749, 'kerberos-adm'),
  (17, 853, 'dns-tls'), (17, 902, 'vmware-auth'), (17, 1194, 'openvpn'), (17, 1434, 'mssql-browser'),
  (17, 1645, 'radius-old'), (17, 1646, 'radius-acct-old'), (17, 1701, 'l2tp'), (17, 1812, 'radius'),
  (17, 1813, 'radius-acct'), (17, 1900, 'ssdp'), (17, 1985, 'hsrp'), (17, 2049, 'nfs'), (17, 2055, 'netflow'),
  (17, 2123, 'gtp-control'), (17, 2152, 'gtp-user'), (17, 3389, 'rdp'), (17, 3478, 'stun'), (17, 3784, 'bfd'),
  (17, 4500, 'ipsec-nat'), (17, 4739, 'ipfix'), (17, 4789, 'vxlan'), (17, 5001, 'iperf'), (17, 5060, 'sip'),
  (17, 5201, 'iperf3'), (17, 5349, 'stuns'), (17, 5353, 'mdns'), (17, 5355, 'llmnr'), (17, 5405, 'corosync'),
  (17, 5938, 'teamviewer'), (17, 6081, 'geneve'), (17, 6343, 'sflow'), (17, 6514, 'syslog-tls'),
  (17, 7946, 'docker-gossip'), (17, 8125, 'statsd'), (17, 8301, 'consul-serf'), (17, 8472, 'vxlan-linux'),
  (17, 8600, 'consul-dns'), (17, 11211, 'memcached'), (1, 0, 'echo-reply'), (1, 768, 'unreachable'),
  (1, 1024, 'source-quench'), (1, 1280, 'redirect'), (1, 2048, 'echo'), (1, 2304, 'router-advertisement'),
  (1, 2560, 'router-solicitation'), (1, 2816, 'time-exceeded'), (1, 3328, 'timestamp'), (1, 3584, 'timestamp-reply'),
  (58, 256, 'unreachable'), (58, 512, 'packet-too-big'), (58, 768, 'time-exceeded'), (58, 32768, 'echo'),
  (58, 33024, 'echo-reply'), (58, 34048, 'router-solicitation'), (58, 34304, 'router-advertisement'),
  (58, 34560, 'neighbour-solicitation'), (58, 34816, 'neighbour-advertisement'), (58, 36608, 'mld-report');

-- The definition of networks in force, for those who read with SQL: [{"name", "cidrs", "internal", "vlan", "site", "description"}].
alter table flow_networks_version add column definition jsonb not null default '[]';

-- Views -----------------------------------------------------------------------------------------

create function flow_protocol(number int) returns text immutable parallel safe
return case number when 1 then 'icmp' when 6 then 'tcp' when 17 then 'udp' when 47 then 'gre' when 50 then 'esp'
  when 58 then 'icmp6' when 132 then 'sctp' else number::text end;
comment on function flow_protocol is 'Name of an IP protocol; its number when it has none here.';

create view flow_ends as
select e.id, coalesce(o.name, host(e.address), n.name, case when e.internal then 'other internal' else 'Internet' end) as name,
       o.uuid as object_id, o.adapter_kind, o.object_kind as kind, e.address, n.name as network, e.internal,
       e.first_seen, e.last_seen
from endpoint e
left join object o on o.id = e.object_id
left join flow_network n on n.id = e.network_id;
comment on view flow_ends is 'Ends of flows: addresses with the object that has or had them, or what many addresses are folded into.';

create view flows as
select f.time, s.name as sender, s.object_id as sender_id, s.kind as sender_kind, s.address as sender_address,
       s.network as sender_network, r.name as receiver, r.object_id as receiver_id, r.kind as receiver_kind,
       r.address as receiver_address, r.network as receiver_network,
       case when s.internal <> r.internal then 'north-south' when s.internal then 'east-west' else 'external' end as traffic,
       flow_protocol(f.proto) as protocol, f.port,
       coalesce(v.name, case when f.port > 0 then f.port || '/' else '' end || flow_protocol(f.proto)) as service,
       f.to_service, f.bytes, f.packets, f.flows, f.sessions, f.resets, f.drops, f.observers
from (
  select *, row_number() over traffic as place, count(*) over (partition by time, src, dst, port, proto, to_service) as observers
  from (
    select distinct on (time, src, dst, port, proto, to_service, observer)
           time, src, dst, port, proto, to_service, observer, sum(bytes)::bigint as bytes, sum(packets)::bigint as packets,
           sum(flows)::bigint as flows, sum(sessions)::bigint as sessions, sum(resets)::bigint as resets, sum(drops)::bigint as drops
    from flow_part
    group by time, src, dst, port, proto, to_service, observer, egress
    order by time, src, dst, port, proto, to_service, observer, egress) as of_observer
  window traffic as (partition by time, src, dst, port, proto, to_service order by bytes desc, packets desc, drops desc, observer)
) as f
join flow_ends s on s.id = f.src
join flow_ends r on r.id = f.dst
left join flow_service v
  on v.protocol = case f.proto when 33 then 6 when 132 then 6 when 136 then 17 else f.proto end
  and v.port = case when f.proto in (1, 58) then f.port / 256 * 256 else f.port end
where f.place = 1;
comment on view flows is 'Flows by minute, each once: of several observers the one that saw most in the minute. Always filter on time.';

do $$
declare
  level text;
begin
  foreach level in array array['5m', '1h', '1d'] loop
    execute format($view$
      create view flows_%1$s as
      select f.time, s.name as sender, s.object_id as sender_id, s.kind as sender_kind, s.address as sender_address,
             s.network as sender_network, coalesce(r.name, case f.dst when -1 then 'other internal' else 'other' end) as receiver,
             r.object_id as receiver_id, r.kind as receiver_kind, r.address as receiver_address, r.network as receiver_network,
             case when s.internal <> coalesce(r.internal, f.dst = -1) then 'north-south'
                  when s.internal then 'east-west' else 'external' end as traffic,
             case when f.dst >= 0 then flow_protocol(f.proto) end as protocol, case when f.dst >= 0 then f.port end as port,
             case when f.dst >= 0
                  then coalesce(v.name, case when f.port > 0 then f.port || '/' else '' end || flow_protocol(f.proto))
                  else 'other' end as service,
             f.to_service, f.bytes, f.packets, f.flows, f.sessions, f.resets, f.drops, f.peak as peak_minute_bytes,
             f.dst < 0 as folded, f.keys
      from flow_%1$s f
      join flow_ends s on s.id = f.src
      left join flow_ends r on r.id = f.dst
      left join flow_service v
        on v.protocol = case f.proto when 33 then 6 when 132 then 6 when 136 then 17 else f.proto end
        and v.port = case when f.proto in (1, 58) then f.port / 256 * 256 else f.port end
      $view$, level);
    execute format($view$
      create view talkers_%1$s as
      select t.time, (array['vm', 'host', 'cluster', 'tier', 'network', 'port', 'protocol', 'pair'])[t.dimension + 1] as dimension,
             (array['sent', 'received', 'both'])[t.direction + 1] as direction,
             (array['east-west', 'north-south', 'external', 'all'])[t.traffic + 1] as traffic,
             case t.dimension
               when 3 then g.name
               when 4 then n.name
               when 5 then coalesce(v.name, case when k.key %% 65536 > 0 then k.key %% 65536 || '/' else '' end
                 || flow_protocol((k.key / 65536)::int))
               when 6 then flow_protocol(k.key::int)
               else coalesce(o.name, e.name) end as talker,
             case when t.dimension = 7 then coalesce(ro.name, re.name) end as receiver,
             coalesce(o.uuid, e.object_id) as object_id, coalesce(ro.uuid, re.object_id) as receiver_id,
             k.bytes, k.packets, k.flows, k.sessions, k.resets, k.drops, k.peak as peak_minute_bytes,
             k.bytes / nullif(t.total[1], 0)::float8 as share, t.total[1] as total_bytes, t.missed is null as exact
      from talker_%1$s t
      cross join lateral unnest(t.keys, t.bytes, t.packets, t.flows, t.sessions, t.resets, t.drops, t.peak)
        as k(key, bytes, packets, flows, sessions, resets, drops, peak)
      left join object o
        on o.id = case when t.dimension <= 2 then k.key when t.dimension = 7 and k.key >> 32 & 1 = 0 then k.key >> 33 end
      left join flow_ends e on e.id = case when t.dimension = 7 and k.key >> 32 & 1 = 1 then k.key >> 33 end
      left join object ro on ro.id = case when t.dimension = 7 and k.key & 1 = 0 then (k.key & 4294967295) >> 1 end
      left join flow_ends re on re.id = case when t.dimension = 7 and k.key & 1 = 1 then (k.key & 4294967295) >> 1 end
      left join talker_tier g on g.id = case when t.dimension = 3 then k.key end
      left join flow_network n on n.id = case when t.dimension = 4 then k.key end
      left join flow_service v
        on v.protocol = case when t.dimension = 5
             then case k.key / 65536 when 33 then 6 when 132 then 6 when 136 then 17 else k.key / 65536 end end
        and v.port = case when k.key / 65536 in (1, 58) then k.key %% 65536 / 256 * 256 else k.key %% 65536 end
      $view$, level);
    execute format('comment on view flows_%1$s is %2$L', level,
      'Flows of a bucket, each once; what is beyond the largest of a sender is in rows with folded = true. Always filter on time.');
    execute format('comment on view talkers_%1$s is %2$L', level,
      'The largest talkers of a bucket, by dimension, direction and traffic. Always filter on these and on time.');
  end loop;
end $$;

create view flow_buckets as
select level, time, bytes, folded_bytes, folded_bytes / nullif(bytes, 0)::float8 as folded_share, folded_keys,
       duplicate_bytes, duplicate_bytes / nullif(bytes + duplicate_bytes, 0)::float8 as duplicate_share
from flow_bucket;
comment on view flow_buckets is 'What of each bucket of flows was folded into "other", and what several observers told.';

create view flow_levels as
select s.level, s.rolled_until, s.kept_from, count(d.bucket) as waiting_buckets
from flow_level_state s left join flow_dirty d on d.level = s.level
group by s.level, s.rolled_until, s.kept_from;
comment on view flow_levels is 'Up to where each level of flows is rolled up, from where it is kept, and notes of buckets to be rolled up again.';

create view networks as
select d.name, d.cidrs, d.internal, d.vlan, d.site, d.description, coalesce(e.addresses, 0) as addresses, e.last_seen
from (select definition from flow_networks_version order by version desc limit 1) newest
cross join lateral jsonb_to_recordset(newest.definition)
  as d(name text, cidrs text[], internal boolean, vlan int, site text, description text)
left join lateral (
  select count(e.address) as addresses, max(e.last_seen) as last_seen
  from endpoint e join flow_network n on n.id = e.network_id where n.name = d.name) e on true;
comment on view networks is 'The named networks in force, with the internal addresses that flows have shown in them.';

create view observers as
select o.exporter, o.domain, (array['unknown', 'sflow-5', 'netflow-5', 'netflow-9', 'ipfix'])[o.version + 1] as version,
       o.first_seen, o.last_seen, e.population / nullif(e.sampled, 0)::float8 as sampling_rate, o.id as observer
from flow_observer o
left join lateral (
  select population, sampled from flow_exporter x
  where x.address = o.exporter and x.version = o.version and population > 0 and sampled > 0
  order by sampler limit 1) e on true;
comment on view observers is 'Who sends flows.';
