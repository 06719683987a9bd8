package io.peerlens.benchmarks;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Fills a topic with line protocol of the shape that Telegraf's vSphere input writes: the same
 * tags, groups, field names and types, one line for each record, keyed by moid. The values are
 * seeded random walks. Rounds are one interval apart and end now; with {@code --live} they go on in
 * real time.
 */
public final class LoadGenerator {

  /** Fields by group as in the captured VM lines; a leading {@code %} marks a decimal. */
  private static final Map<String, List<String>> GROUPS =
      Map.of(
          "cpu",
          List.of(
              "%usage_average",
              "usagemhz_average",
              "%readiness_average",
              "ready_summation",
              "used_summation",
              "demand_average"),
          "mem",
          List.of(
              "%usage_average",
              "active_average",
              "consumed_average",
              "granted_average",
              "swapped_average",
              "swapin_average",
              "swapout_average",
              "swaptarget_average"),
          "net",
          List.of(
              "usage_average",
              "received_average",
              "transmitted_average",
              "packetsRx_summation",
              "packetsTx_summation",
              "bytesRx_average",
              "bytesTx_average"),
          "virtualDisk",
          List.of("read_average", "write_average"),
          "sys",
          List.of("uptime_latest"));

  private static final Map<String, String> INSTANCE =
      Map.of("cpu", "cpu", "net", "interface", "virtualDisk", "disk");

  private LoadGenerator() {}

  /** See {@link #usage()}. */
  public static void main(String[] args) throws Exception {
    Map<String, String> options = new HashMap<>();
    for (int i = 0; i < args.length; i++) {
      if (args[i].equals("--live")) {
        options.put("live", "true");
      } else if (args[i].startsWith("--") && i + 1 < args.length) {
        options.put(args[i].substring(2), args[++i]);
      } else {
        System.err.println(usage());
        System.exit(2);
      }
    }
    run(
        options.getOrDefault("bootstrap", "127.0.0.1:9092"),
        options.getOrDefault("topic", "peerlens.metrics"),
        Integer.parseInt(options.getOrDefault("objects", "300")),
        Integer.parseInt(options.getOrDefault("metrics", "0")),
        Duration.ofSeconds(Long.parseLong(options.getOrDefault("interval", "20"))),
        Integer.parseInt(options.getOrDefault("rounds", "100")),
        Long.parseLong(options.getOrDefault("seed", "1")),
        options.containsKey("live"));
  }

  private static String usage() {
    return """
        usage: LoadGenerator [--bootstrap HOST:PORT] [--topic NAME] [--objects 300] [--metrics N]
                             [--interval SECONDS] [--rounds 100] [--seed 1] [--live]
          --objects   number of VMs
          --metrics   metrics in each set, instead of Telegraf's own
          --interval  seconds between two samples of an object
          --rounds    samples for each set
          --live      go on in real time after the rounds, until stopped""";
  }

  private static void run(
      String bootstrap,
      String topic,
      int objects,
      int metrics,
      Duration interval,
      int rounds,
      long seed,
      boolean live)
      throws Exception {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", bootstrap);
    settings.put("key.serializer", ByteArraySerializer.class.getName());
    settings.put("value.serializer", ByteArraySerializer.class.getName());
    settings.put("compression.type", "zstd");
    settings.put("linger.ms", "50");
    settings.put("batch.size", "400000");
    settings.put("buffer.memory", Integer.toString(128 << 20));
    SplittableRandom random = new SplittableRandom(seed);
    AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    long lines = 0;
    long values = 0;
    long bytes = 0;
    long begin = System.nanoTime();
    Instant now = Instant.now();
    long last = now.getEpochSecond() / interval.toSeconds() * interval.toSeconds();
    try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings)) {
      for (int round = 0; round < rounds || live; round++) {
        long second = last - (rounds - 1L - round) * interval.toSeconds();
        long wait = second - Instant.now().getEpochSecond();
        if (wait > 0) {
          TimeUnit.SECONDS.sleep(wait);
        }
        String end = " " + second + "000000000\n";
        for (int vm = 0; vm < objects; vm++) {
          byte[] key = ("vm-" + vm).getBytes(StandardCharsets.UTF_8);
          for (Map.Entry<String, List<String>> group : GROUPS.entrySet()) {
            StringBuilder line = new StringBuilder(600);
            tags(line, vm, group.getKey());
            values += fields(line, group.getValue(), metrics, random);
            byte[] value = line.append(end).toString().getBytes(StandardCharsets.UTF_8);
            producer.send(
                new ProducerRecord<>(topic, null, second * 1_000, key, value),
                (metadata, e) -> {
                  if (e != null) {
                    failure.compareAndSet(null, e);
                  }
                });
            lines++;
            bytes += value.length;
          }
        }
        Exception e = failure.get();
        if (e != null) {
          throw new IllegalStateException("Kafka refused a record: " + e.getMessage(), e);
        }
        if (round % 10 == 9 || round == rounds - 1) {
          System.err.printf("\rround %,d of %,d, %,d lines", round + 1, rounds, lines);
        }
      }
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    System.err.println();
    System.out.printf(
        "%,d lines, %,d values, %.0f bytes and %.1f values a line, %.1f s, %,.0f lines/s%n",
        lines, values, (double) bytes / lines, (double) values / lines, seconds, lines / seconds);
  }

  private static void tags(StringBuilder line, int vm, String group) {
    int host = vm / 12;
    int cluster = host / 8;
    line.append("vsphere_vm_").append(group);
    line.append(",app=app").append(vm % 7);
    line.append(",clustername=DC").append(cluster % 2).append("_C").append(cluster);
    String instance = INSTANCE.get(group);
    if ("cpu".equals(instance)) {
      line.append(",cpu=instance-total");
    }
    line.append(",dcname=DC").append(cluster % 2);
    if ("disk".equals(instance)) {
      line.append(",disk=instance-total");
    }
    line.append(",esxhostname=esx-").append(host).append(".corp.example");
    line.append(",guest=rhel8_64,guesthostname=vm-").append(vm).append(".corp.example");
    line.append(",host=collector1");
    if ("interface".equals(instance)) {
      line.append(",interface=instance-total");
    }
    line.append(",moid=vm-").append(vm);
    line.append(",owner=team-").append(vm % 5).append(",rpname=Resources,source=vm-").append(vm);
    line.append(",uuid=").append(new java.util.UUID(0x4217_0000_0000_4000L, vm));
    line.append(",vcenter=vc1.corp.example,vmname=vm-").append(vm).append(' ');
  }

  private static int fields(
      StringBuilder line, List<String> names, int metrics, SplittableRandom random) {
    int count = metrics > 0 ? metrics : names.size();
    for (int i = 0; i < count; i++) {
      String name = i < names.size() ? names.get(i) : "metric" + i + "_average";
      boolean decimal = name.charAt(0) == '%';
      if (i > 0) {
        line.append(',');
      }
      line.append(name, decimal ? 1 : 0, name.length()).append('=');
      if (decimal) {
        line.append(random.nextInt(100_000) / 1_000.0);
      } else {
        line.append(random.nextInt(1_000_000)).append('i');
      }
    }
    line.append(",memorySizeMB=\"8192\"");
    return count;
  }
}
