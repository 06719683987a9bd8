package io.peerlens.standalone.esxtop;

import io.peerlens.standalone.esxtop.ObjectDirectory.Found;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Names that esxtop writes, and the objects that they stand for. A name that fits several objects
 * fits none: which one it is must not be guessed.
 */
final class Names {

  /** What a name of a machine stands for. */
  sealed interface Answer {
    record One(String externalId) implements Answer {}

    record Nobody() implements Answer {}

    record Several(List<String> externalIds) implements Answer {}
  }

  private final ObjectDirectory directory;
  private final EsxtopChoice choice;
  private @Nullable Found host;
  private Map<String, List<Found>> onHost = Map.of();

  Names(ObjectDirectory directory, EsxtopChoice choice) {
    this.directory = directory;
    this.choice = choice;
  }

  boolean creates() {
    return choice.create();
  }

  /**
   * Finds the host of a file.
   *
   * @return its external id
   * @throws EsxtopException when none or several fit
   */
  String host(String inFile) {
    String name = choice.host() == null ? inFile : choice.host();
    if (choice.create()) {
      host =
          new Found(
              "", choice.vcenter() == null ? name : choice.vcenter() + '/' + name, name, false);
      return host.externalId();
    }
    List<Found> like =
        directory.hosts(firstLabel(name)).stream()
            .filter(found -> choice.vcenter() == null || isOf(found, choice.vcenter()))
            .toList();
    List<Found> found = like.stream().filter(f -> f.name().equalsIgnoreCase(name)).toList();
    if (found.isEmpty() && choice.host() == null) {
      found = like.stream().filter(f -> isShortened(f.name(), name)).toList();
    }
    found = reporting(found);
    if (found.isEmpty()) {
      throw new EsxtopException(
          "No host is called %s%s. --host NAME says which host it is, by its name on the page Explorer; --create makes one of this name."
              .formatted(name, choice.vcenter() == null ? "" : " in " + choice.vcenter()));
    }
    if (found.size() > 1) {
      throw new EsxtopException(
          "%d hosts are called %s: %s. Say with --vcenter or --host which one it is."
              .formatted(found.size(), name, names(found)));
    }
    host = found.getFirst();
    refresh();
    return host.externalId();
  }

  /** The host as people know it; empty before {@link #host(String)}. */
  String hostName() {
    return host == null ? "" : host.name();
  }

  /** Asks again which machines run on the host. */
  void refresh() {
    if (host == null || choice.create()) {
      return;
    }
    Map<String, List<Found>> byName = new HashMap<>();
    for (Found machine : directory.machinesOf(host.id())) {
      byName.computeIfAbsent(unescaped(machine.name()), n -> new ArrayList<>()).add(machine);
    }
    onHost = byName;
  }

  /**
   * Finds a machine of the host. One that has moved away since is found by its name, if no other
   * machine of the vCenter has that.
   *
   * @param everywhere whether to look beyond the host
   */
  Answer machine(String name, boolean everywhere) {
    Found on = host;
    if (on == null) {
      return new Answer.Nobody();
    }
    if (choice.create()) {
      return new Answer.One(on.externalId() + '/' + name);
    }
    List<Found> found = onHost.getOrDefault(name, List.of());
    if (found.isEmpty() && everywhere) {
      found =
          directory.machines(longestPlainPart(name)).stream()
              .filter(machine -> unescaped(machine.name()).equals(name))
              .filter(machine -> vcenter(machine).equalsIgnoreCase(vcenter(on)))
              .toList();
    }
    found = reporting(found);
    return switch (found.size()) {
      case 0 -> new Answer.Nobody();
      case 1 -> new Answer.One(found.getFirst().externalId());
      default -> new Answer.Several(found.stream().map(Found::externalId).sorted().toList());
    };
  }

  /** Those that report, if any do: an object that is gone keeps its name. */
  private static List<Found> reporting(List<Found> found) {
    List<Found> reporting = found.stream().filter(f -> !f.silent()).toList();
    return reporting.isEmpty() ? found : reporting;
  }

  /** Whether one is the other without its domain. */
  private static boolean isShortened(String a, String b) {
    boolean shortA = a.indexOf('.') < 0;
    return shortA != (b.indexOf('.') < 0)
        && !isAddress(shortA ? b : a)
        && firstLabel(a).equalsIgnoreCase(firstLabel(b));
  }

  private static String firstLabel(String name) {
    int dot = isAddress(name) ? -1 : name.indexOf('.');
    return dot < 0 ? name : name.substring(0, dot);
  }

  private static boolean isAddress(String name) {
    return name.indexOf(':') >= 0 || name.chars().allMatch(c -> c == '.' || Character.isDigit(c));
  }

  private static boolean isOf(Found found, String vcenter) {
    return vcenter(found).equalsIgnoreCase(vcenter);
  }

  private static String vcenter(Found found) {
    int slash = found.externalId().lastIndexOf('/');
    return slash < 0 ? "" : found.externalId().substring(0, slash);
  }

  /** A part of a name that vCenter writes as it is. */
  private static String longestPlainPart(String name) {
    return Stream.of(name.split("[/\\\\%]"))
        .max(Comparator.comparingInt(String::length))
        .orElse("");
  }

  /** The name as the machine has it: vCenter writes three characters in another way. */
  private static String unescaped(String name) {
    if (name.indexOf('%') < 0) {
      return name;
    }
    StringBuilder plain = new StringBuilder();
    for (int i = 0; i < name.length(); i++) {
      String three =
          i + 3 <= name.length() ? name.substring(i, i + 3).toLowerCase(Locale.ROOT) : "";
      switch (three) {
        case "%2f" -> plain.append('/');
        case "%5c" -> plain.append('\\');
        case "%25" -> plain.append('%');
        default -> {
          plain.append(name.charAt(i));
          continue;
        }
      }
      i += 2;
    }
    return plain.toString();
  }

  private static String names(List<Found> found) {
    return String.join(
        ", ", found.stream().map(f -> f.name() + " (" + f.externalId() + ")").sorted().toList());
  }
}
