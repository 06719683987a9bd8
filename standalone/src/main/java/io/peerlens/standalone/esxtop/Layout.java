package io.peerlens.standalone.esxtop;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Layout of a file under one header: which cell is which value of which object. Values of a line
 * are put in by column and taken out as line protocol, one line for each instance. What it takes
 * grows with the columns, not with the lines. Not thread-safe.
 */
final class Layout {

  /** A record is closed when it has grown beyond this, far below what Kafka and guards take. */
  private static final int RECORD_BYTES = 200_000;

  private static final int SHOWN = 5;

  /** The metrics of one instance. */
  private static final class Row {
    final String group;
    final String instance;
    final List<String> metrics = new ArrayList<>();
    final List<Header.Wanted> columns = new ArrayList<>();
    int firstSlot;
    byte[] begin = {};
    byte[][] fields = {};

    Row(String group, String instance) {
      this.group = group;
      this.instance = instance;
    }
  }

  /** An object and its rows. */
  private static final class Subject {
    final Owner owner;
    final Map<String, Row> rows = new LinkedHashMap<>();
    final Set<String> groups = new HashSet<>();
    final boolean certain;

    /** Null = it is not known which object this is. */
    @Nullable String id;

    Subject(Owner owner, boolean certain) {
      this.owner = owner;
      this.certain = certain;
    }
  }

  private final String hostId;
  private final List<Subject> subjects;
  private final int[] slots;
  private final double[] times;
  private final double[] values;
  private final Row[] rowOfSlot;
  private byte[] out = new byte[64 << 10];
  private int size;
  private final String hostName;

  private Layout(Header header, String hostId, String hostName, List<Subject> subjects) {
    this.hostId = hostId;
    this.hostName = hostName;
    this.subjects = subjects;
    slots = new int[header.columns()];
    Arrays.fill(slots, -1);
    int count = 0;
    for (Subject subject : subjects) {
      for (Row row : subject.rows.values()) {
        row.firstSlot = count;
        count += row.columns.size();
      }
    }
    times = new double[count];
    values = new double[count];
    rowOfSlot = new Row[count];
    for (Subject subject : subjects) {
      for (Row row : subject.rows.values()) {
        row.fields = new byte[row.metrics.size()][];
        for (int i = 0; i < row.metrics.size(); i++) {
          Header.Wanted wanted = row.columns.get(i);
          slots[wanted.column()] = row.firstSlot + i;
          times[row.firstSlot + i] = wanted.target().times();
          rowOfSlot[row.firstSlot + i] = row;
          row.fields[i] = (escaped(row.metrics.get(i)) + '=').getBytes(StandardCharsets.UTF_8);
        }
        row.columns.clear();
      }
    }
  }

  /**
   * Finds out whose the columns of a header are.
   *
   * @param notes told of machines that cannot be sent
   * @throws EsxtopException when the host is not known
   */
  static Layout of(Header header, Names names, Consumer<String> notes) {
    String hostId = names.host(header.host());
    Set<String> certainGroups = new HashSet<>();
    Set<String> certainNames = new HashSet<>();
    boolean processors = false;
    for (Header.Wanted wanted : header.wanted()) {
      if (wanted.target().owner() instanceof Owner.Machine machine && wanted.target().certain()) {
        certainNames.add(machine.name());
        if (!machine.group().isEmpty()) {
          certainGroups.add(machine.group());
          processors = true;
        }
      }
    }
    Map<Owner, Subject> subjects = new LinkedHashMap<>();
    for (Header.Wanted wanted : header.wanted()) {
      Owner owner = wanted.target().owner();
      String group = "";
      if (owner instanceof Owner.Machine machine) {
        group = machine.group();
        boolean other =
            group.isEmpty()
                ? !certainNames.contains(machine.name())
                : !certainGroups.contains(group);
        if (processors && other) {
          continue; // a process of the host, or a port of it
        }
        owner = new Owner.Machine(machine.name(), "");
      }
      boolean certain =
          owner instanceof Owner.Host
              || (owner instanceof Owner.Machine machine && certainNames.contains(machine.name()));
      Subject subject = subjects.computeIfAbsent(owner, o -> new Subject(o, certain));
      if (!group.isEmpty()) {
        subject.groups.add(group);
      }
      ColumnTable.Target target = wanted.target();
      Row row =
          subject.rows.computeIfAbsent(
              target.group() + '\0' + target.instance(),
              key -> new Row(target.group(), target.instance()));
      if (!row.metrics.contains(target.metric())) {
        row.metrics.add(target.metric());
        row.columns.add(wanted);
      }
    }
    Layout layout = new Layout(header, hostId, names.hostName(), List.copyOf(subjects.values()));
    layout.find(names, notes);
    return layout;
  }

  /**
   * Finds the machines that are not known yet.
   *
   * @param notes told of those that cannot be sent
   */
  void find(Names names, Consumer<String> notes) {
    Set<String> unknown = new TreeSet<>();
    for (Subject subject : subjects) {
      if (subject.id != null) {
        continue;
      }
      switch (subject.owner) {
        case Owner.Host host -> known(subject, hostId);
        case Owner.Machine machine -> {
          if (names.creates() && !subject.certain) {
            continue; // it may be a process
          }
          switch (names.machine(machine.name(), subject.certain)) {
            case Names.Answer.One(String id) when subject.groups.size() > 1 ->
                notes.accept(
                    "%d virtual machines of %s are called %s: what is measured of them is left out. Rename one of them."
                        .formatted(subject.groups.size(), hostName, machine.name()));
            case Names.Answer.One(String id) -> known(subject, id);
            case Names.Answer.Several(List<String> ids) ->
                notes.accept(
                    "%d virtual machines are called %s (%s), and esxtop tells only names: what is measured of it is left out. Rename one of them."
                        .formatted(ids.size(), machine.name(), String.join(", ", ids)));
            case Names.Answer.Nobody nobody -> {
              if (subject.certain) {
                unknown.add(machine.name());
              }
            }
          }
        }
      }
    }
    if (!unknown.isEmpty()) {
      notes.accept(
          "%d virtual machine%s of %s %s not known (%s%s): what is measured of %s is left out until a collector has reported %s."
              .formatted(
                  unknown.size(),
                  unknown.size() == 1 ? "" : "s",
                  hostName,
                  unknown.size() == 1 ? "is" : "are",
                  String.join(", ", unknown.stream().limit(SHOWN).toList()),
                  unknown.size() > SHOWN ? ", ..." : "",
                  unknown.size() == 1 ? "it" : "them",
                  unknown.size() == 1 ? "it" : "them"));
    }
  }

  /** From now on the subject is sent. The tag host names the sender, as Telegraf's does. */
  private void known(Subject subject, String id) {
    subject.id = id;
    String measurement = subject.owner instanceof Owner.Host ? "esxtop_host_" : "esxtop_vm_";
    for (Row row : subject.rows.values()) {
      String begin =
          measurement
              + escaped(row.group)
              + ",id="
              + escaped(id)
              + (row.instance.isEmpty() ? "" : ",instance=" + escaped(row.instance))
              + ",host="
              + escaped("esxtop on " + hostName)
              + ' ';
      row.begin = begin.getBytes(StandardCharsets.UTF_8);
    }
  }

  /** Whether machines are left that no object is known for. */
  boolean hasUnknown() {
    return subjects.stream().anyMatch(subject -> subject.id == null && subject.certain);
  }

  int machines() {
    return (int)
        subjects.stream()
            .filter(subject -> subject.owner instanceof Owner.Machine && subject.id != null)
            .count();
  }

  /** How many columns are sent. */
  int sent() {
    return subjects.stream()
        .filter(subject -> subject.id != null)
        .flatMap(subject -> subject.rows.values().stream())
        .mapToInt(row -> row.fields.length)
        .sum();
  }

  void clear() {
    Arrays.fill(values, Double.NaN);
  }

  /** Where the value of a column is kept; negative = it is not sent. */
  int slot(int column) {
    return slots[column];
  }

  void put(int slot, double value) {
    values[slot] = value * times[slot];
  }

  /** The key of a metric, for messages. */
  String key(int slot) {
    Row row = rowOfSlot[slot];
    return row.group
        + (row.instance.isEmpty() ? "" : " of " + row.instance)
        + ", "
        + row.metrics.get(slot - row.firstSlot);
  }

  /** Records that tell of objects that nobody else reports, for {@link EsxtopChoice#create}. */
  List<EsxtopSample.Record> introductions(long timeMs) {
    List<EsxtopSample.Record> records = new ArrayList<>();
    for (Subject subject : subjects) {
      if (subject.id != null) {
        records.add(
            new EsxtopSample.Record(
                subject.id, Introduction.of(subject.id, subject.owner, hostId, hostName, timeMs)));
      }
    }
    return records;
  }

  /** The values that were put in, as records of line protocol. */
  List<EsxtopSample.Record> records(long timeMs) {
    List<EsxtopSample.Record> records = new ArrayList<>();
    byte[] end = (" " + timeMs + "000000\n").getBytes(StandardCharsets.US_ASCII);
    for (Subject subject : subjects) {
      String id = subject.id;
      if (id == null) {
        continue;
      }
      size = 0;
      for (Row row : subject.rows.values()) {
        write(row, end);
        if (size > RECORD_BYTES) {
          records.add(new EsxtopSample.Record(id, Arrays.copyOf(out, size)));
          size = 0;
        }
      }
      if (size > 0) {
        records.add(new EsxtopSample.Record(id, Arrays.copyOf(out, size)));
      }
    }
    return records;
  }

  private void write(Row row, byte[] end) {
    boolean first = true;
    for (int i = 0; i < row.fields.length; i++) {
      double value = values[row.firstSlot + i];
      if (Double.isNaN(value)) {
        continue;
      }
      if (first) {
        append(row.begin);
        first = false;
      } else {
        append((byte) ',');
      }
      append(row.fields[i]);
      append(value);
    }
    if (!first) {
      append(end);
    }
  }

  /** With three decimals; esxtop writes two. */
  private void append(double value) {
    if (Math.abs(value) >= 1e15) {
      append(Double.toString(value).getBytes(StandardCharsets.US_ASCII));
      return;
    }
    long thousandths = Math.round(value * 1000);
    if (thousandths < 0) {
      append((byte) '-');
      thousandths = -thousandths;
    }
    long whole = thousandths / 1000;
    int rest = (int) (thousandths % 1000);
    room(24);
    int digits = 1;
    for (long left = whole / 10; left > 0; left /= 10) {
      digits++;
    }
    for (int i = size + digits - 1; i >= size; i--) {
      out[i] = (byte) ('0' + whole % 10);
      whole /= 10;
    }
    size += digits;
    if (rest > 0) {
      out[size++] = '.';
      for (int unit = 100; rest > 0; unit /= 10) {
        out[size++] = (byte) ('0' + rest / unit);
        rest %= unit;
      }
    }
  }

  private void append(byte b) {
    room(1);
    out[size++] = b;
  }

  private void append(byte[] bytes) {
    room(bytes.length);
    System.arraycopy(bytes, 0, out, size, bytes.length);
    size += bytes.length;
  }

  private void room(int count) {
    if (size + count > out.length) {
      out = Arrays.copyOf(out, Math.max(size + count, out.length * 2));
    }
  }

  /** Text as line protocol holds it; a backslash at the end would escape what follows. */
  private static String escaped(String text) {
    StringBuilder escaped = new StringBuilder(text.length() + 8);
    for (char c : text.toCharArray()) {
      if (c == ',' || c == '=' || c == ' ') {
        escaped.append('\\');
      }
      escaped.append(c == '\n' || c == '\r' || c == 0 ? '?' : c);
    }
    while (!escaped.isEmpty() && escaped.charAt(escaped.length() - 1) == '\\') {
      escaped.setLength(escaped.length() - 1);
    }
    return escaped.toString();
  }
}
