package io.peerlens.benchmarks;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Fills a topic with flow records as goflow2 writes them: one JSON object a record, all of its
 * members. Records are spread over the last minutes in the order of time, over a number of keys
 * (sender, receiver, port) of which a few carry most bytes, as in real networks: bytes are drawn
 * from a Pareto distribution with shape 1.2 (Crovella and Bestavros, "Self-similarity in World Wide
 * Web traffic", 1997, measured 1.1 to 1.3 for transfers).
 */
public final class FlowLoad {

  private static final double SHAPE = 1.2;
  private static final int LEAST_BYTES = 300;
  private static final long MOST_BYTES = 1_000_000_000;
  private static final int[] PORTS = {443, 5432, 8080, 53, 445, 9200, 6379, 3306};

  private FlowLoad() {}

  /** See {@link #usage()}. */
  public static void main(String[] args) throws Exception {
    Map<String, String> options = new HashMap<>();
    for (int i = 0; i < args.length; i++) {
      if (args[i].startsWith("--") && i + 1 < args.length) {
        options.put(args[i].substring(2), args[++i]);
      } else {
        System.err.println(usage());
        System.exit(2);
      }
    }
    run(
        options.getOrDefault("bootstrap", "127.0.0.1:9092"),
        options.getOrDefault("topic", "peerlens.flows"),
        Long.parseLong(options.getOrDefault("records", "6000000")),
        Integer.parseInt(options.getOrDefault("keys", "3000000")),
        Integer.parseInt(options.getOrDefault("senders", "10000")),
        Integer.parseInt(options.getOrDefault("minutes", "1")),
        Integer.parseInt(options.getOrDefault("rate", "0")),
        Long.parseLong(options.getOrDefault("seed", "1")));
  }

  private static String usage() {
    return """
        usage: FlowLoad [--bootstrap HOST:PORT] [--topic NAME] [--records 6000000] [--keys 3000000]
                        [--senders 10000] [--minutes 1 | --rate 0] [--seed 1]
          --keys      different senders, receivers and ports together
          --senders   addresses that send and receive, all internal
          --minutes   that the records are spread over; they end now
          --rate      records a second; they are sent as they happen. 0 = as fast as they can be""";
  }

  private static void run(
      String bootstrap,
      String topic,
      long records,
      int keys,
      int senders,
      int minutes,
      int rate,
      long seed)
      throws Exception {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", bootstrap);
    settings.put("key.serializer", ByteArraySerializer.class.getName());
    settings.put("value.serializer", ByteArraySerializer.class.getName());
    settings.put("compression.type", "lz4");
    settings.put("linger.ms", "50");
    settings.put("batch.size", "400000");
    settings.put("buffer.memory", Integer.toString(128 << 20));
    SplittableRandom random = new SplittableRandom(seed);
    AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    long begin = System.nanoTime();
    long from = Instant.now().toEpochMilli() - minutes * 60_000L;
    byte[][] exporters = new byte[16][];
    for (int i = 0; i < exporters.length; i++) {
      exporters[i] = ("10.255.0." + (i + 1)).getBytes(StandardCharsets.US_ASCII);
    }
    StringBuilder text = new StringBuilder(1_200);
    try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings)) {
      for (long i = 0; i < records; i++) {
        long time = rate > 0 ? due(begin, i, rate) : from + i * minutes * 60_000L / records;
        int key = random.nextInt(keys);
        int exporter = key % exporters.length;
        text.setLength(0);
        write(
            text,
            time,
            i,
            key,
            senders,
            new String(exporters[exporter], StandardCharsets.US_ASCII),
            random);
        producer.send(
            new ProducerRecord<>(
                topic,
                null,
                time,
                exporters[exporter],
                text.toString().getBytes(StandardCharsets.US_ASCII)),
            (metadata, e) -> {
              if (e != null) {
                failure.compareAndSet(null, e);
              }
            });
      }
    }
    if (failure.get() != null) {
      throw new IllegalStateException("A record could not be sent", failure.get());
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    System.out.printf(
        "%,d records of %,d keys in %.1f s, %,.0f records/s%n",
        records, keys, seconds, records / seconds);
  }

  /** Waits until a record is due; the time it is then, in milliseconds. */
  private static long due(long begin, long record, int rate) {
    if (record % 1_000 == 0) {
      long early = begin + record * 1_000_000_000L / rate - System.nanoTime();
      if (early > 0) {
        LockSupport.parkNanos(early);
      }
    }
    return Instant.now().toEpochMilli();
  }

  private static void write(
      StringBuilder text,
      long time,
      long sequence,
      int key,
      int senders,
      String exporter,
      SplittableRandom random) {
    int sender = key % senders;
    int receiver = (int) ((sender + 1 + key / (long) senders * 7_919) % senders);
    int port = PORTS[(key / senders) % PORTS.length];
    long bytes =
        (long) Math.min(MOST_BYTES, LEAST_BYTES * Math.pow(1 - random.nextDouble(), -1 / SHAPE));
    boolean answer = (key & 1) == 1;
    int client = 32_768 + random.nextInt(28_000);
    text.append("{\"type\":\"IPFIX\",\"time_received_ns\":").append(time);
    text.append("000000,\"sequence_num\":").append(sequence);
    text.append(",\"sampling_rate\":1,\"sampler_address\":\"").append(exporter);
    text.append("\",\"time_flow_start_ns\":").append(time - 900);
    text.append("000000,\"time_flow_end_ns\":").append(time - 100);
    text.append("000000,\"bytes\":").append(bytes);
    text.append(",\"packets\":").append(1 + bytes / 1_000);
    text.append(",\"src_addr\":\"");
    address(text, answer ? receiver : sender);
    text.append("\",\"dst_addr\":\"");
    address(text, answer ? sender : receiver);
    text.append("\",\"etype\":\"IPv4\",\"proto\":\"TCP\",\"src_port\":")
        .append(answer ? port : client);
    text.append(",\"dst_port\":").append(answer ? client : port);
    text.append(
        ",\"in_if\":1,\"out_if\":2,\"src_mac\":\"00:00:00:00:00:00\",\"dst_mac\":\"00:00:00:00:00:00\","
            + "\"src_vlan\":0,\"dst_vlan\":0,\"vlan_id\":0,\"ip_tos\":0,\"forwarding_status\":0,\"ip_ttl\":0,"
            + "\"ip_flags\":0,\"tcp_flags\":27,\"icmp_type\":0,\"icmp_code\":0,\"ipv6_flow_label\":0,"
            + "\"fragment_id\":0,\"fragment_offset\":0,\"src_as\":0,\"dst_as\":0,\"next_hop\":\"\","
            + "\"next_hop_as\":0,\"src_net\":\"0.0.0.0/0\",\"dst_net\":\"0.0.0.0/0\",\"bgp_next_hop\":\"\","
            + "\"bgp_communities\":[],\"as_path\":[],\"mpls_ttl\":[],\"mpls_label\":[],\"mpls_ip\":[],"
            + "\"observation_domain_id\":0,\"observation_point_id\":0,\"layer_stack\":[],\"layer_size\":[],"
            + "\"ipv6_routing_header_addresses\":[],\"ipv6_routing_header_seg_left\":0}\n");
  }

  private static void address(StringBuilder text, int number) {
    text.append("10.")
        .append(number >> 16)
        .append('.')
        .append(number >> 8 & 255)
        .append('.')
        .append(number & 255);
  }
}
