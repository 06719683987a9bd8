package io.peerlens.standalone.sample;

import java.util.List;
import java.util.Locale;

/**
 * Machines that do the same work and so are each other's peers.
 *
 * @param app application, a custom attribute
 * @param tier part of the application, a custom attribute
 * @param env production, test or desktops, a custom attribute and the resource pool
 * @param owner team, a custom attribute
 * @param count number of machines
 * @param cpus virtual CPUs of each
 * @param memoryMb memory of each
 * @param rhythm day and week
 * @param idleCpu percent without work
 * @param peakCpu percent added at the peak
 * @param memoryActive share of the memory that is in use at the peak
 * @param netPerCpu KB/s received for each percent of one CPU
 * @param answerRatio sent over received
 * @param readPerCpu KB/s read from disk for each percent of one CPU
 * @param writePerCpu KB/s written to disk for each percent of one CPU
 * @param spread how much machines differ from each other: 0.05 = a little, 0.5 = a lot
 * @param clusters where they may run, as indexes
 */
record Tier(
    String app,
    String tier,
    String env,
    String owner,
    int count,
    int cpus,
    int memoryMb,
    Rhythm rhythm,
    double idleCpu,
    double peakCpu,
    double memoryActive,
    double netPerCpu,
    double answerRatio,
    double readPerCpu,
    double writePerCpu,
    double spread,
    String guest,
    List<Integer> clusters) {

  private static final List<Integer> PRODUCTION = List.of(0, 2);
  private static final List<Integer> GENERAL = List.of(1, 2);
  private static final List<Integer> EVERYWHERE = List.of(0, 1, 2);
  private static final String LINUX = "Debian GNU/Linux 12 (64-bit)";
  private static final String WINDOWS = "Microsoft Windows 11 (64-bit)";

  /** 300 machines. */
  static final List<Tier> ALL =
      List.of(
          tier("shop", "web", "production", "web", 36, 4, 8_192, Rhythm.SHOPPING, 3, 24, 0.35)
              .io(14, 5.5, 0.6, 2, 0.06)
              .on(LINUX, PRODUCTION),
          tier("shop", "app", "production", "web", 30, 4, 16_384, Rhythm.SHOPPING, 4, 38, 0.45)
              .io(8, 1.4, 0.8, 3, 0.08)
              .on(LINUX, PRODUCTION),
          tier("shop", "db", "production", "data", 6, 12, 65_536, Rhythm.SHOPPING, 6, 34, 0.6)
              .io(5, 2.2, 16, 9, 0.07)
              .on(LINUX, PRODUCTION),
          tier("shop", "cache", "production", "web", 8, 4, 32_768, Rhythm.SHOPPING, 2, 18, 0.8)
              .io(40, 1.6, 0.1, 0.4, 0.06)
              .on(LINUX, PRODUCTION),
          tier("pay", "api", "production", "payments", 16, 4, 8_192, Rhythm.SHOPPING, 3, 20, 0.4)
              .io(9, 1.1, 0.4, 2, 0.06)
              .on(LINUX, PRODUCTION),
          tier("pay", "db", "production", "data", 4, 8, 65_536, Rhythm.SHOPPING, 5, 26, 0.55)
              .io(4, 1.8, 11, 12, 0.06)
              .on(LINUX, PRODUCTION),
          tier("search", "data", "production", "search", 20, 8, 32_768, Rhythm.SHOPPING, 8, 30, 0.6)
              .io(10, 1.2, 20, 6, 0.1)
              .on(LINUX, PRODUCTION),
          tier("search", "api", "production", "search", 10, 4, 8_192, Rhythm.SHOPPING, 3, 26, 0.4)
              .io(12, 4, 0.3, 1, 0.07)
              .on(LINUX, PRODUCTION),
          tier("dns", "resolver", "production", "network", 6, 2, 2_048, Rhythm.FLAT, 2, 9, 0.3)
              .io(6, 1.9, 0.1, 0.4, 0.05)
              .on(LINUX, EVERYWHERE),
          tier(
                  "mail",
                  "relay",
                  "production",
                  "collaboration",
                  8,
                  2,
                  4_096,
                  Rhythm.OFFICE,
                  3,
                  22,
                  0.4)
              .io(16, 1, 3, 8, 0.09)
              .on(LINUX, EVERYWHERE),
          tier(
                  "directory",
                  "controller",
                  "production",
                  "platform",
                  8,
                  2,
                  8_192,
                  Rhythm.OFFICE,
                  3,
                  14,
                  0.45)
              .io(5, 1.5, 1, 2, 0.07)
              .on("Microsoft Windows Server 2022 (64-bit)", EVERYWHERE),
          tier(
                  "files",
                  "server",
                  "production",
                  "collaboration",
                  6,
                  4,
                  16_384,
                  Rhythm.OFFICE,
                  3,
                  20,
                  0.5)
              .io(60, 1.6, 50, 30, 0.15)
              .on("Microsoft Windows Server 2022 (64-bit)", GENERAL),
          tier(
                  "monitoring",
                  "collector",
                  "production",
                  "platform",
                  4,
                  4,
                  16_384,
                  Rhythm.FLAT,
                  8,
                  10,
                  0.5)
              .io(20, 0.5, 1, 12, 0.06)
              .on(LINUX, EVERYWHERE),
          tier("ci", "agent", "test", "platform", 40, 4, 8_192, Rhythm.OFFICE, 2, 55, 0.5)
              .io(10, 0.6, 8, 16, 0.3)
              .on(LINUX, GENERAL),
          tier("batch", "worker", "production", "data", 8, 16, 32_768, Rhythm.NIGHT, 2, 40, 0.5)
              .io(4, 0.8, 14, 10, 0.15)
              .on(LINUX, GENERAL),
          tier("desktop", "vdi", "desktops", "workplace", 90, 4, 8_192, Rhythm.OFFICE, 2, 26, 0.45)
              .io(5, 0.5, 3, 4, 0.35)
              .on(WINDOWS, GENERAL));

  /** What one machine of the tier is called: {@code shop-web-07}. */
  String machineName(int number) {
    return String.format(Locale.ROOT, "%s-%s-%02d", app, tier, number);
  }

  private static Tier tier(
      String app,
      String tier,
      String env,
      String owner,
      int count,
      int cpus,
      int memoryMb,
      Rhythm rhythm,
      double idleCpu,
      double peakCpu,
      double memoryActive) {
    return new Tier(
        app,
        tier,
        env,
        owner,
        count,
        cpus,
        memoryMb,
        rhythm,
        idleCpu,
        peakCpu,
        memoryActive,
        0,
        0,
        0,
        0,
        0,
        "",
        List.of());
  }

  private Tier io(double net, double answers, double read, double write, double difference) {
    return new Tier(
        app,
        tier,
        env,
        owner,
        count,
        cpus,
        memoryMb,
        rhythm,
        idleCpu,
        peakCpu,
        memoryActive,
        net,
        answers,
        read,
        write,
        difference,
        guest,
        clusters);
  }

  private Tier on(String system, List<Integer> places) {
    return new Tier(
        app,
        tier,
        env,
        owner,
        count,
        cpus,
        memoryMb,
        rhythm,
        idleCpu,
        peakCpu,
        memoryActive,
        netPerCpu,
        answerRatio,
        readPerCpu,
        writePerCpu,
        spread,
        system,
        places);
  }
}
