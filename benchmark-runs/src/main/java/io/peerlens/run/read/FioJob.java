package io.peerlens.run.read;

import io.peerlens.run.Run.Direction;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A job in fio's JSON, or a group of them with {@code group_reporting}.
 *
 * @param name of the job
 * @param group fio's number of the group
 * @param machine that ran it; empty = there is only the one
 * @param options of the job and, under them, of all jobs; null = the version does not say
 * @param parts reads and writes; BOTH where fio reports all as one
 * @param trims null = there were none
 * @param cpu per cent of one processor, user and system
 * @param finished the job had no time left to run
 */
record FioJob(
    String name,
    int group,
    String machine,
    @Nullable Map<String, String> options,
    Map<Direction, FioStats> parts,
    @Nullable FioStats trims,
    double cpu,
    boolean finished) {

  private static final int MOST_JOBS = 100_000;
  private static final int MOST_OPTIONS = 300;

  /** The jobs of a document: {@code jobs}, or {@code client_stats} without their sum. */
  static List<FioJob> of(JsonNode document) {
    Map<String, String> global = options(document.get("global options"));
    JsonNode clients = document.get("client_stats");
    JsonNode nodes = clients != null && clients.isArray() ? clients : document.get("jobs");
    List<FioJob> jobs = new ArrayList<>();
    if (nodes == null || !nodes.isArray()) {
      return jobs;
    }
    if (nodes.size() > MOST_JOBS) {
      throw new UnreadableException(
          0, "There are more than %,d jobs".formatted(MOST_JOBS), "Use group_reporting.");
    }
    for (JsonNode node : nodes) {
      String name = text(node, "jobname");
      // The sum of the clients, unless it is all there is.
      boolean sum = nodes == clients && nodes.size() > 1 && name.equals("All clients");
      if (!node.isObject() || sum) {
        continue;
      }
      Map<Direction, FioStats> parts = new EnumMap<>(Direction.class);
      add(parts, node, "read", Direction.READ);
      add(parts, node, "write", Direction.WRITE);
      if (parts.isEmpty()) {
        add(parts, node, "mixed", Direction.BOTH);
      }
      JsonNode trim = node.get("trim");
      FioStats trims = trim == null || !trim.isObject() ? null : FioStats.of(trim, Direction.BOTH);
      Map<String, String> own = options(node.get("job options"));
      Map<String, String> all = null;
      if (own != null || global != null) {
        all = new HashMap<>(global == null ? Map.of() : global);
        all.putAll(own == null ? Map.of() : own);
      }
      double eta = FioStats.number(node, "eta");
      jobs.add(
          new FioJob(
              name,
              (int) node.path("groupid").asDouble(0),
              nodes == clients ? text(node, "hostname") : "",
              all,
              parts,
              trims == null || trims.ops() == 0 ? null : trims,
              FioStats.number(node, "usr_cpu") + FioStats.number(node, "sys_cpu"),
              Double.isNaN(eta) || eta == 0));
    }
    return jobs;
  }

  private static void add(
      Map<Direction, FioStats> parts, JsonNode job, String key, Direction direction) {
    JsonNode node = job.get(key);
    if (node != null && node.isObject()) {
      parts.put(direction, FioStats.of(node, direction));
    }
  }

  static String text(JsonNode node, String key) {
    JsonNode value = node.get(key);
    return value == null || !value.isValueNode() ? "" : value.asString("");
  }

  private static @Nullable Map<String, String> options(@Nullable JsonNode node) {
    if (node == null || !node.isObject()) {
      return null;
    }
    Map<String, String> options = new HashMap<>();
    for (Map.Entry<String, JsonNode> one : node.properties()) {
      if (options.size() < MOST_OPTIONS && one.getValue().isValueNode()) {
        options.put(one.getKey(), one.getValue().asString(""));
      }
    }
    return options;
  }

  /** An option, by any of its names; null = it is not set, or the version does not say. */
  @Nullable String option(String... names) {
    if (options != null) {
      for (String name : names) {
        String value = options.get(name);
        if (value != null) {
          return value;
        }
      }
    }
    return null;
  }

  /** The same job on a machine. */
  FioJob on(String ofMachine) {
    return new FioJob(name, group, ofMachine, options, parts, trims, cpu, finished);
  }

  /** Operations of all kinds. */
  double ops() {
    return parts.values().stream().mapToDouble(FioStats::ops).sum()
        + (trims == null ? 0 : trims.ops());
  }

  double bytes() {
    return parts.values().stream().mapToDouble(FioStats::bytes).sum()
        + (trims == null ? 0 : trims.bytes());
  }

  /** The longest that any kind of operation ran. */
  double seconds() {
    double longest = trims == null ? 0 : trims.seconds();
    for (FioStats part : parts.values()) {
      longest = Math.max(longest, part.seconds());
    }
    return longest;
  }
}
