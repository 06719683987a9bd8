package io.peerlens.dashboard.vrops;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/** Names as the format wants them, made from titles. The same titles give the same names. */
final class Names {

  private static final int LINE = 200;
  private static final int NAME = 40;
  private static final Pattern MARKS = Pattern.compile("\\p{M}+");
  private static final Pattern OTHER = Pattern.compile("[^A-Za-z0-9]+");
  private static final Pattern BLANK = Pattern.compile("[\\p{Cntrl}\\p{Z}\\p{Cf}\\s]+");

  private static final Map<String, String> KINDS =
      Map.ofEntries(
          Map.entry("VirtualMachine", "vm"),
          Map.entry("HostSystem", "host"),
          Map.entry("ClusterComputeResource", "cluster"),
          Map.entry("Datastore", "datastore"),
          Map.entry("StoragePod", "datastoreCluster"),
          Map.entry("Datacenter", "datacenter"),
          Map.entry("CustomDatacenter", "customDatacenter"),
          Map.entry("ResourcePool", "pool"),
          Map.entry("VMwareAdapter Instance", "vcenter"),
          Map.entry("vSphere World", "world"),
          Map.entry("DistributedVirtualPortgroup", "portgroup"),
          Map.entry("VmwareDistributedVirtualSwitch", "switch"),
          Map.entry("VirtualSANDCCluster", "vsanCluster"));

  private final Set<String> taken = new HashSet<>();

  /** A name that is not taken yet, of the first of these texts that has letters. */
  String of(String... texts) {
    String name = "";
    for (String text : texts) {
      name = slug(text);
      if (!name.isEmpty()) {
        break;
      }
    }
    if (name.isEmpty()) {
      name = "part";
    }
    String unique = name;
    for (int i = 2; !taken.add(unique.toLowerCase(Locale.ROOT)); i++) {
      String end = Integer.toString(i);
      unique = name.substring(0, Math.min(name.length(), NAME - end.length())) + end;
    }
    return unique;
  }

  /** The name of an object of a kind, such as {@code vm}. */
  static String ofKind(String kind) {
    String object = kind.substring(kind.indexOf('/') + 1);
    return KINDS.getOrDefault(object, object);
  }

  /** Words run together, {@code cpuReady}; empty = the text has no letters or digits of ASCII. */
  static String slug(String text) {
    String plain =
        MARKS
            .matcher(
                Normalizer.normalize(
                    text.length() > 400 ? text.substring(0, 400) : text, Normalizer.Form.NFKD))
            .replaceAll("");
    StringBuilder out = new StringBuilder();
    for (String word : OTHER.split(plain, -1)) {
      if (word.isEmpty()) {
        continue;
      }
      boolean capitals = word.equals(word.toUpperCase(Locale.ROOT));
      if (out.isEmpty()) {
        // VMs and ESXi begin in capitals and are small words as a whole.
        boolean shortened = word.length() > 1 && Character.isUpperCase(word.charAt(1));
        out.append(
            capitals || shortened
                ? word.toLowerCase(Locale.ROOT)
                : word.substring(0, 1).toLowerCase(Locale.ROOT) + word.substring(1));
      } else {
        out.append(word.substring(0, 1).toUpperCase(Locale.ROOT))
            .append(capitals ? word.substring(1).toLowerCase(Locale.ROOT) : word.substring(1));
      }
    }
    if (out.isEmpty()) {
      return "";
    }
    if (!Character.isLetter(out.charAt(0))) {
      out.insert(0, 'n');
    }
    return out.substring(0, Math.min(out.length(), NAME));
  }

  /** Words of a key, {@code Parent vcenter} of {@code parentVcenter}. */
  static String words(String key) {
    String spaced =
        Names.cut(key, LINE).replace('_', ' ').replaceAll("(?<=[a-z])(?=[A-Z][a-z])", " ").strip();
    return spaced.isEmpty()
        ? ""
        : spaced.substring(0, 1).toUpperCase(Locale.ROOT) + spaced.substring(1);
  }

  /** A line of text: one space between words, no control characters, at most 200 characters. */
  static String line(String text, String fallback) {
    String line = blanksToOne(text);
    if (line.isEmpty()) {
      line = blanksToOne(fallback);
    }
    return line.isEmpty() ? "-" : cut(line, LINE);
  }

  private static String blanksToOne(String text) {
    String start = text.length() > 4 * LINE ? text.substring(0, 4 * LINE) : text;
    return BLANK.matcher(start).replaceAll(" ").strip();
  }

  /** A text without U+0000 and without halves of characters, neither of which can be stored. */
  static String storable(String text) {
    boolean good = true;
    for (int i = 0; i < text.length() && good; i++) {
      good = text.charAt(i) != 0 && !Character.isSurrogate(text.charAt(i));
    }
    if (good) {
      return text;
    }
    StringBuilder out = new StringBuilder();
    text.codePoints()
        .filter(c -> c != 0)
        .map(c -> c >= 0xd800 && c <= 0xdfff ? 0xfffd : c)
        .forEach(out::appendCodePoint);
    return out.toString();
  }

  /** The beginning of a text, whole characters only. */
  static String cut(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
    return text.substring(0, end);
  }

  /** The id of a dashboard or view: the one of vROps where it is a UUID, else one made of it. */
  static UUID id(String type, String id) {
    if (id.length() == 36) {
      try {
        return UUID.fromString(id);
      } catch (IllegalArgumentException e) {
        // made of it
      }
    }
    return UUID.nameUUIDFromBytes(
        ("peerlens:vrops:" + type + ":" + id).getBytes(StandardCharsets.UTF_8));
  }

  /** Whether two names are nearly the same: how many letters differ, up to a bound. */
  static int distance(String a, String b) {
    String left = cut(a, 80).toLowerCase(Locale.ROOT);
    String right = cut(b, 80).toLowerCase(Locale.ROOT);
    int[] row = new int[right.length() + 1];
    for (int j = 0; j <= right.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= left.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= right.length(); j++) {
        int replaced = diagonal + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[right.length()];
  }
}
