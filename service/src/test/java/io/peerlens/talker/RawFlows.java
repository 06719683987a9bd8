package io.peerlens.talker;

import io.peerlens.job.Progress;
import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import io.peerlens.support.TestKafka;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * Flow records as goflow2 writes them, taken in by the service, and beside it in plain SQL what
 * must come out: from the text of the records, with nothing of the service's in between but the
 * numbers that it gave to observers, which decide between equal ones.
 *
 * <p>Clients must have larger ports than services.
 */
final class RawFlows implements AutoCloseable {

  /** Numbers that SQL reads out of the records, and who the addresses are. */
  private static final String READ =
      """
      create table raw_record as
      select row_number() over () as id, j ->> 'type' as told_by, (j ->> 'src_addr')::inet as src,
             (j ->> 'dst_addr')::inet as dst, j ->> 'proto' as proto,
             (j ->> 'src_port')::int as src_port, (j ->> 'dst_port')::int as dst_port,
             (j ->> 'icmp_type')::int as icmp_type, (j ->> 'icmp_code')::int as icmp_code,
             (j ->> 'tcp_flags')::int as flags,
             (j ->> 'bytes')::bigint * greatest((j ->> 'sampling_rate')::bigint, 1) as bytes,
             (j ->> 'packets')::bigint * greatest((j ->> 'sampling_rate')::bigint, 1) as packets,
             (j ->> 'forwarding_status')::int between 128 and 191 as dropped,
             (j ->> 'time_flow_start_ns')::bigint / 1000000 as start_ms,
             (j ->> 'time_flow_end_ns')::bigint / 1000000 as end_ms
      from raw_line, lateral (select line::jsonb as j) as parsed
      """;

  private static final String ENDS =
      """
      create table raw_end as
      select a.address,
             coalesce(v.vm, case when i.internal then host(a.address) end, n.network, 'Internet') as name,
             v.vm, v.host, v.cluster, v.tier, n.network, i.internal
      from (select src as address from raw_record union select dst from raw_record) a
      left join raw_vm v on v.address = a.address
      left join lateral (
        select network, internal from raw_network w where a.address <<= w.prefix order by masklen(w.prefix) desc limit 1
      ) n on true
      cross join lateral (
        select coalesce(n.internal, a.address <<= any ('{10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,100.64.0.0/10,fc00::/7,fe80::/10,169.254.0.0/16}'::inet[])) as internal
      ) i
      """;

  /** Each record spread over the minutes that it lasts. */
  private static final String BY_MINUTE =
      """
      create table raw_minute as
      with f as (
        select r.*, start_ms / 60000 as first_minute, greatest(end_ms - 1, start_ms) / 60000 as last_minute,
               case when proto in ('TCP', 'UDP') then least(src_port, dst_port)
                    when proto in ('ICMP', 'IPv6-ICMP') then icmp_type * 256 + icmp_code else 0 end as port,
               case when proto in ('TCP', 'UDP') then dst_port < src_port
                    when proto = 'ICMP' then icmp_type not in (0, 14, 16, 18)
                    when proto = 'IPv6-ICMP' then icmp_type not in (129, 136)
                    else dst < src end as to_service
        from raw_record r
      ), m as (
        select f.*, minute,
               least(end_ms, (minute + 1) * 60000) - start_ms as until,
               greatest(minute * 60000 - start_ms, 0) as since, end_ms - start_ms as took
        from f cross join lateral generate_series(first_minute, last_minute) as minute
      )
      select id, told_by, src, dst, lower(proto) as proto, port, to_service, minute, minute = first_minute as begins,
             case when took = 0 then amount else amount * until / took - amount * since / took end as bytes,
             case when took = 0 then packets else packets * until / took - packets * since / took end as moved,
             dropped, proto as protocol, flags
      from (select m.*, case when dropped then 0 else bytes end as amount from m) as spread
      """;

  /** Of several that told of the same traffic in 5 minutes one counts. */
  private static final String COUNTED =
      """
      create table raw_counted as
      with named as (
        select to_timestamp(minute * 60) as time, date_bin('5 minutes', to_timestamp(minute * 60), 'epoch') as bucket,
               m.*, case when dropped then 0 else moved end as packets, case when dropped then moved else 0 end as drops,
               case when begins then 1 else 0 end as flows,
               case when begins and to_service and not dropped and (protocol <> 'TCP' or flags = 0 or flags & 2 <> 0) then 1 else 0 end as sessions,
               case when begins and protocol = 'TCP' and not dropped and flags & 4 <> 0 then 1 else 0 end as resets,
               s.name as s_name, s.vm as s_vm, s.host as s_host, s.cluster as s_cluster, s.tier as s_tier,
               s.network as s_network, s.internal as s_internal,
               d.name as d_name, d.vm as d_vm, d.host as d_host, d.cluster as d_cluster, d.tier as d_tier,
               d.network as d_network, d.internal as d_internal
        from raw_minute m join raw_end s on s.address = m.src join raw_end d on d.address = m.dst
      ), seen as (
        select bucket, coalesce(s_vm || host(src), s_name) as s_end, coalesce(d_vm || host(dst), d_name) as d_end,
               port, proto, to_service, told_by, sum(bytes) as b, sum(packets) as p, sum(drops) as d
        from named group by 1, 2, 3, 4, 5, 6, 7
      ), best as (
        select *, row_number() over (
          partition by bucket, s_end, d_end, port, proto, to_service
          order by b desc, p desc, d desc,
            (select min(o.id) from flow_observer o where o.version = case told_by when 'IPFIX' then 4 else 3 end)) as place
        from seen
      )
      select n.* from named n join best b
        on (b.bucket, b.s_end, b.d_end, b.port, b.proto, b.to_service, b.told_by)
         = (n.bucket, coalesce(n.s_vm || host(n.src), n.s_name), coalesce(n.d_vm || host(n.dst), n.d_name),
            n.port, n.proto, n.to_service, n.told_by)
      where b.place = 1
      """;

  private final SampleData data;
  private final PeerlensServer server;

  private RawFlows(SampleData data, PeerlensServer server) {
    this.data = data;
    this.server = server;
  }

  /** A VM: where it runs, and the addresses that it has. */
  record Vm(String name, String host, String cluster, String tier, List<String> addresses) {}

  /** A network; internal null = as its addresses are. */
  record Named(String name, String prefix, @Nullable Boolean internal) {}

  /** Takes records in and rolls up what was before a moment. */
  static RawFlows load(
      List<String> lines, List<Vm> vms, List<Named> networks, Instant rolledUntil) {
    SampleData data = SampleData.create();
    data.sql("create table raw_line (line text)");
    data.sql("create table raw_vm (address inet, vm text, host text, cluster text, tier text)");
    data.sql("create table raw_network (network text, prefix inet, internal boolean)");
    data.jdbc()
        .sql("insert into raw_line select unnest(?)")
        .param(lines.toArray(String[]::new))
        .update();
    inventory(data, vms);
    StringBuilder file = new StringBuilder("name,cidrs,internal\n");
    for (Named network : networks) {
      file.append(
          "\"%s\",%s,%s\n"
              .formatted(
                  network.name, network.prefix, network.internal == null ? "" : network.internal));
      data.jdbc()
          .sql("insert into raw_network values (?, ?::inet, ?)")
          .params(network.name, network.prefix, network.internal)
          .update();
    }
    data.jdbc()
        .sql(
            "insert into flow_networks_version (format, text, networks, changed_at, changed_by) values ('csv', ?, ?, now(), 'test')")
        .params(file.toString(), networks.size())
        .update();
    String topic = "raw-" + UUID.randomUUID();
    TestKafka.shared().createTopic(topic, 2);
    TestKafka.shared().createTopic("no-metrics-" + topic, 1);
    send(topic, lines);
    PeerlensServer server =
        PeerlensServer.start(
            data.database(),
            Set.of(Role.INGEST, Role.API),
            "peerlens.ingest.bootstrap-servers=" + TestKafka.shared().bootstrap(),
            "peerlens.ingest.topic=no-metrics-" + topic,
            "peerlens.ingest.group=no-metrics-" + topic,
            "peerlens.flows.topic=" + topic,
            "peerlens.flows.group=" + topic,
            "peerlens.flows.flush=200ms",
            "peerlens.flows.max-age=20000d",
            "peerlens.flows.keep-minutes=20002d",
            "peerlens.flows.keep-unrolled=20002d");
    Awaitility.await("all records stored")
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofMillis(100))
        .until(
            () ->
                data.jdbc()
                        .sql(
                            "select coalesce(sum(next_offset), 0) from kafka_offset where topic = ?")
                        .param(topic)
                        .query(Long.class)
                        .single()
                    == lines.size());
    new FlowRollUpStore(
            data.dataSource(),
            new FlowRollUpStore.Settings(Duration.ZERO, Duration.ZERO, true, 200, 1_000, 1_000_000))
        .run(rolledUntil, Progress.NONE);
    for (String sql : List.of(READ, ENDS, BY_MINUTE, COUNTED)) {
      data.sql(sql);
    }
    data.sql("analyze");
    return new RawFlows(data, server);
  }

  private static void inventory(SampleData data, List<Vm> vms) {
    Map<String, Integer> made = new TreeMap<>();
    for (Vm vm : vms) {
      int cluster =
          made.computeIfAbsent(
              vm.cluster, name -> data.object("VMWARE", "ClusterComputeResource", name));
      int host =
          made.computeIfAbsent(
              vm.host,
              name -> {
                int id = data.object("VMWARE", "HostSystem", name);
                data.sql("insert into relation values (%d, %d)".formatted(cluster, id));
                return id;
              });
      int id = data.object("VMWARE", "VirtualMachine", vm.name);
      data.sql("insert into relation values (%d, %d)".formatted(host, id));
      data.jdbc()
          .sql(
              """
              update object set tags = jsonb_build_object('tier', ?::text),
                properties = jsonb_build_object('summary|guest|ipAddress', ?::text) where id = ?
              """)
          .params(vm.tier, String.join(", ", vm.addresses), id)
          .update();
      for (String address : vm.addresses) {
        data.jdbc()
            .sql("insert into raw_vm values (?::inet, ?, ?, ?, ?)")
            .params(address, vm.name, vm.host, vm.cluster, vm.tier)
            .update();
      }
    }
  }

  private static void send(String topic, List<String> lines) {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                TestKafka.shared().bootstrap(),
                ProducerConfig.LINGER_MS_CONFIG,
                20),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      int partition = 0;
      for (String line : lines) {
        var unused =
            producer.send(
                new ProducerRecord<>(
                    topic, partition++ % 2, null, (line + "\n").getBytes(StandardCharsets.UTF_8)));
      }
      producer.flush();
    }
  }

  ApiClient api() {
    return server.admin();
  }

  SampleData data() {
    return data;
  }

  /** What somebody has, by name, in bytes or numbers; peaks in bytes of a minute. */
  Map<String, Long> talkers(String by, String measure, String direction, Instant from, Instant to) {
    return talkers(by, measure, direction, from, to, "true", "true");
  }

  /**
   * What somebody has.
   *
   * @param sent condition on a row of raw_counted as traffic that is sent
   * @param received condition on it as traffic that is received
   */
  Map<String, Long> talkers(
      String by,
      String measure,
      String direction,
      Instant from,
      Instant to,
      String sent,
      String received) {
    boolean sends = !direction.equals("received");
    boolean receives = !direction.equals("sent");
    List<String> parts = new ArrayList<>();
    if (Set.of("vm", "host", "cluster", "tier", "network").contains(by)) {
      if (sends) {
        parts.add("select s_%s as name, c.* from raw_counted c where (%s)".formatted(by, sent));
      }
      if (receives) {
        parts.add(
            "select d_%1$s as name, c.* from raw_counted c where (%2$s)%3$s"
                .formatted(
                    by,
                    received,
                    sends
                        ? " and not coalesce(s_%1$s = d_%1$s and (%2$s), false)".formatted(by, sent)
                        : ""));
      }
    } else {
      String name =
          switch (by) {
            case "port" -> "port || '/' || proto";
            case "protocol" -> "proto";
            default -> "s_name || ' to ' || d_name";
          };
      String either =
          sends && receives ? "(%s) or (%s)".formatted(sent, received) : sends ? sent : received;
      parts.add("select %s as name, c.* from raw_counted c where (%s)".formatted(name, either));
    }
    String column = measure.equals("peak") || measure.equals("rate") ? "bytes" : measure;
    String sql =
        """
        with part as (%s), by_minute as (
          select name, time, sum(%s) as value from part
          where name is not null and time >= ?::timestamptz and time < ?::timestamptz group by name, time
        )
        select name, %s(value)::bigint from by_minute group by name having sum(value) > 0
        """
            .formatted(
                String.join(" union all ", parts), column, measure.equals("peak") ? "max" : "sum");
    Map<String, Long> found = new TreeMap<>();
    data.jdbc()
        .sql(sql)
        .params(from.toString(), to.toString())
        .query(
            row -> {
              found.put(row.getString(1), row.getLong(2));
            });
    return found;
  }

  @Override
  public void close() {
    server.close();
    data.close();
  }
}
