package io.peerlens.vcenter.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.peerlens.ingest.mapping.FieldUse;
import io.peerlens.ingest.mapping.MappedSeries;
import io.peerlens.ingest.mapping.Mappings;
import io.peerlens.vcenter.inventory.ExampleVCenter;
import io.peerlens.vcenter.keys.CollectorKeys.Told;
import io.peerlens.vcenter.keys.PublishedUses.Dashboard;
import io.peerlens.vcenter.keys.PublishedUses.Use;
import io.peerlens.vcenter.performance.Figure;
import io.peerlens.vcenter.performance.Figures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Which keys of vROps the collector tells, and how many of those that published dashboards use. The
 * published files have many licences or none, so they lie outside this repository.
 */
class VCenterKeysTest {

  private static final Path CORPUS = Path.of("../../shared/corpus/dashboards");
  private static final Path DOCUMENT = Path.of("../docs/vcenter-keys.md");
  private static final Path MADE = Path.of("target/vcenter-keys.md");
  private static final Path TABLE = Path.of("target/vcenter-keys.tsv");
  private static final String BEGIN = "<!-- figures of published dashboards: begin -->\n";
  private static final String END = "<!-- figures of published dashboards: end -->\n";

  /** A World is one object over all vCenters; each vCenter has the same keys. */
  private static final String WORLD = "vSphere World";

  private static final String VCENTER = "VMwareAdapter Instance";

  private static final Set<KeyClass> FOREIGN =
      Set.of(KeyClass.SUPER_METRICS, KeyClass.OTHER_ADAPTERS);

  private final CollectorKeys collector = new CollectorKeys();
  private final TelegrafKeys telegraf = new TelegrafKeys();

  /** Halves into which vROps divides the network of hosts and clusters; no instances of vCenter. */
  private static final Set<String> HALVES = Set.of("physical", "virtual");

  /** Whether the collector tells what a use asks for: the whole, or an instance. */
  private boolean isTold(Use use) {
    Told told =
        use.adapter().equals("VMWARE")
            ? collector.find(use.kind().equals(WORLD) ? VCENTER : use.kind(), use.key())
            : null;
    return told != null
        && !HALVES.contains(use.instance())
        && (use.instance().isEmpty() || (use.isTotal() ? told.total() : told.instances()));
  }

  private boolean isToldByTelegraf(Use use) {
    return use.adapter().equals("VMWARE") && telegraf.has(use.kind(), use.key());
  }

  @Test
  void nineTenthsOfWhatPublishedDashboardsAskOfAVCenterAreTold() {
    PublishedUses published = published();
    int asked = 0;
    int told = 0;
    for (Use use : published.all()) {
      if (KeyClass.of(use, telegraf).isJudged()) {
        asked++;
        told += isTold(use) ? 1 : 0;
      }
    }
    assertThat(asked).as("uses in the three classes").isGreaterThan(1500);
    assertThat(100.0 * told / asked).as("%d of %d uses", told, asked).isGreaterThanOrEqualTo(90);
  }

  @Test
  void everyCounterThatTelegrafSendsIsToldByTheCollectorToo() {
    Set<String> missing = new TreeSet<>();
    for (Use use : published().all()) {
      if (isToldByTelegraf(use) && collector.find(use.kind(), use.key()) == null) {
        missing.add(use.kind() + " " + use.key());
      }
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void everyKeyThatIsNotToldHasItsReason() {
    Set<String> without = new TreeSet<>();
    for (Use use : published().all()) {
      if (KeyClass.of(use, telegraf).isJudged()
          && !isTold(use)
          && Reasons.of(use.kind(), use.key()).isEmpty()) {
        without.add(use.kind() + " " + use.key() + " " + use.instance());
      }
    }
    assertThat(without).isEmpty();
  }

  @Test
  void theDocumentShowsWhatTheCollectorTells() throws IOException {
    String before = Files.exists(DOCUMENT) ? Files.readString(DOCUMENT) : "";
    String figures;
    if (Files.isDirectory(CORPUS)) {
      PublishedUses published = new PublishedUses(CORPUS);
      Files.createDirectories(TABLE.toAbsolutePath().getParent());
      Files.writeString(TABLE, table(published));
      figures = figures(published);
      System.out.println(figures.substring(0, figures.indexOf("###")));
    } else {
      int from = before.indexOf(BEGIN);
      int to = before.indexOf(END);
      assertThat(from).as("the figures in docs/vcenter-keys.md").isNotNegative();
      figures = before.substring(from + BEGIN.length(), to);
    }
    String made = introduction() + BEGIN + figures + END + keys();
    Files.createDirectories(MADE.toAbsolutePath().getParent());
    Files.writeString(MADE, made);
    assertThat(before)
        .as(
            "docs/vcenter-keys.md is not what the collector tells. Look at the difference, then: cp vcenter/%s docs/vcenter-keys.md",
            MADE)
        .isEqualTo(made);
  }

  @Test
  void aFigureHasItsUnitInTheMappingFile() {
    Map<String, String> wrong = new TreeMap<>();
    for (String type :
        Stream.concat(Stream.of(Figures.VCENTER), collector.kinds().stream()).toList()) {
      for (Figure figure : Figures.told(type)) {
        Told told = Objects.requireNonNull(collector.find(CollectorKeys.kind(type), figure.key()));
        if (!figure.unit().isEmpty() && !figure.unit().equals(told.unit())) {
          wrong.put(type + " " + figure.key(), told.unit() + " in place of " + figure.unit());
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void aCounterThatBothFeedHasOneUnit() {
    Map<String, String> different = new TreeMap<>();
    telegraf.units.forEach(
        (kind, units) ->
            units.forEach(
                (key, unit) -> {
                  Told told = Objects.requireNonNull(collector.find(kind, key), key);
                  if (!unit.isEmpty() && !unit.equals(told.unit())) {
                    different.put(kind + " " + key, unit + " and " + told.unit());
                  }
                }));
    assertThat(different).isEmpty();
  }

  @Test
  void aMachineThatBothFeedIsOneObjectWithEqualProperties() {
    var record = new ExampleVCenter().records().get("vc/vm-42");
    Map<String, String> tags = new LinkedHashMap<>();
    tags.put("vcenter", "vc");
    tags.put("moid", "vm-42");
    tags.put("vmname", "web1");
    tags.put("dcname", "DC0");
    tags.put("esxhostname", "esx-1");
    tags.put("clustername", "C0");
    tags.put("guest", "ubuntu64");
    tags.put("guesthostname", "web1.example.net");
    tags.put("uuid", "4220aa");
    tags.put("interface", "4000");
    tags.put("ipv4", "192.0.2.42");
    tags.put("ipv6", "2001:db8::42");
    MappedSeries series = Mappings.shipped().map("vsphere_vm_net", tags);
    assertThat(series.key().object().externalId()).isEqualTo(record.path("id").asString());
    assertThat(series.key().object().objectKind()).isEqualTo(record.path("objectKind").asString());
    assertThat(series.attributes().name()).isEqualTo(record.path("name").asString());
    assertThat(series.attributes().locator()).isEqualTo(record.path("locator").asString());
    Map<String, String> told = new TreeMap<>(series.attributes().properties());
    // As Telegraf reads them: summary.config.memorySizeMB and memoryReservation, in MB.
    Map.of("memorySizeMB", 16384.0, "memoryReservation", 2048.0)
        .forEach(
            (field, megabytes) -> {
              var use = (FieldUse.Property) Objects.requireNonNull(series.fields()).number(field);
              told.put(
                  use.property(), String.format(Locale.ROOT, "%.0f", megabytes * use.multiply()));
            });
    Set<String> both = new HashSet<>(told.keySet());
    both.removeIf(key -> record.path("properties").path(key).isMissingNode());
    assertThat(both).hasSizeGreaterThanOrEqualTo(8);
    for (String key : both) {
      assertThat(told.get(key)).as(key).isEqualTo(record.path("properties").path(key).asString());
    }
  }

  private static PublishedUses published() {
    assumeTrue(Files.isDirectory(CORPUS), "the published dashboards are not here: " + CORPUS);
    return new PublishedUses(CORPUS);
  }

  /** Kind, key, uses, files, class, told or why not. */
  private String table(PublishedUses published) {
    Map<String, List<Use>> byKey = byKey(published.all());
    StringBuilder table =
        new StringBuilder("kind\tkey\tuses\tfiles\tclass\ttold\thow or why not\n");
    byKey.forEach(
        (place, uses) -> {
          Use first = uses.getFirst();
          KeyClass of = KeyClass.of(first, telegraf);
          boolean told = uses.stream().allMatch(this::isTold);
          Optional<Told> how =
              Optional.ofNullable(
                  collector.find(first.kind().equals(WORLD) ? VCENTER : first.kind(), first.key()));
          table
              .append(String.join("\t", first.kind(), first.key(), "" + uses.size()))
              .append('\t')
              .append(uses.stream().map(Use::file).distinct().count())
              .append('\t')
              .append(of.words)
              .append('\t')
              .append(told ? "yes" : "no")
              .append('\t')
              .append(
                  told
                      ? how.map(Told::from).orElse("")
                      : Reasons.of(first.kind(), first.key())
                          .filter(r -> of.isJudged())
                          .orElse(of.isJudged() ? "?" : "not a matter of vCenter's data"))
              .append('\n');
        });
    return table.toString();
  }

  private static Map<String, List<Use>> byKey(List<Use> uses) {
    Map<String, List<Use>> byKey = new TreeMap<>();
    uses.stream()
        .filter(use -> use.adapter().equals("VMWARE"))
        .forEach(
            use ->
                byKey
                    .computeIfAbsent(use.kind() + " " + use.key(), k -> new ArrayList<>())
                    .add(use));
    return byKey;
  }

  private String figures(PublishedUses published) {
    List<Use> all = published.all();
    StringBuilder text = new StringBuilder();
    List<Dashboard> vsphere =
        published.dashboards.values().stream()
            .filter(d -> published.of(d).stream().anyMatch(use -> use.adapter().equals("VMWARE")))
            .toList();
    text.append(
        """
        %,d files of public repositories hold %,d dashboards and %,d views, each counted once. They use %,d keys of vSphere's kinds in %,d places.

        | class of keys | uses | share | by Telegraf alone | by the collector |
        |---|--:|--:|--:|--:|
        """
            .formatted(
                published.files,
                published.dashboards.size(),
                published.views.size(),
                byKey(all).size(),
                all.stream().filter(use -> use.adapter().equals("VMWARE")).count()));
    Map<KeyClass, List<Use>> byClass = new EnumMap<>(KeyClass.class);
    all.forEach(
        use ->
            byClass.computeIfAbsent(KeyClass.of(use, telegraf), c -> new ArrayList<>()).add(use));
    List<Use> judged = new ArrayList<>();
    byClass.forEach(
        (of, uses) -> {
          row(text, of.words, uses, all.size());
          if (of.isJudged()) {
            judged.addAll(uses);
          }
        });
    row(text, "**configuration, counters, counts and aliases**", judged, all.size());
    text.append("\nA key belongs to the first class whose rule fits, in this order:\n\n");
    for (KeyClass of : KeyClass.values()) {
      text.append("- ").append(of.words).append(": ").append(of.rule).append(".\n");
    }
    text.append(
        """

        Of %d dashboards that use keys of vSphere's kinds, with those of the views that they show:

        | | by Telegraf alone | by the collector |
        |---|--:|--:|
        """
            .formatted(vsphere.size()));
    Predicate<Use> always = use -> true;
    Predicate<Use> own = use -> !FOREIGN.contains(KeyClass.of(use, telegraf));
    Predicate<Use> asked =
        use ->
            KeyClass.of(use, telegraf).isJudged()
                || KeyClass.of(use, telegraf) == KeyClass.TELEGRAF;
    share(text, "all keys are told", published, vsphere, always, 100);
    share(text, "three quarters of the uses are told", published, vsphere, always, 75);
    share(
        text,
        "all are told but super metrics and other adapters' keys",
        published,
        vsphere,
        own,
        100);
    share(
        text, "all are told but these, cost, capacity and badges", published, vsphere, asked, 100);
    List<Use> toldOfWorld =
        judged.stream().filter(use -> use.kind().equals(WORLD) && isTold(use)).toList();
    long told = judged.stream().filter(this::isTold).count();
    text.append(
        """

        A super metric counts as told when its formula is published with the dashboards, since it is imported and computed. A key of the vSphere World
        counts as told when each vCenter tells it (kind VMwareAdapter Instance): the World is one object over all vCenters, which the collector of one cannot know. These are %d of the
        uses in the three classes; if they did not count, %.1f %% of these classes would be told in place of %.1f %%.

        ### What is not told, and why

        Uses in brackets.

        """
            .formatted(
                toldOfWorld.size(),
                100.0 * (told - toldOfWorld.size()) / judged.size(),
                100.0 * told / judged.size()));
    Map<String, List<Use>> missing = byKey(judged.stream().filter(use -> !isTold(use)).toList());
    Map<String, Map<String, List<String>>> byReason = new TreeMap<>();
    missing.forEach(
        (place, uses) ->
            byReason
                .computeIfAbsent(uses.getFirst().kind(), k -> new TreeMap<>())
                .computeIfAbsent(
                    Reasons.of(uses.getFirst().kind(), uses.getFirst().key()).orElse("?"),
                    r -> new ArrayList<>())
                .add("`%s` (%d)".formatted(uses.getFirst().key(), uses.size())));
    byReason.forEach(
        (kind, reasons) ->
            reasons.forEach(
                (reason, keys) ->
                    text.append(
                        "- %s %s: %s.\n".formatted(kind, String.join(", ", keys), reason))));
    text.append('\n');
    return text.toString();
  }

  private void row(StringBuilder text, String words, List<Use> uses, int all) {
    text.append(
        "| %s | %,d | %.1f %% | %.1f %% | %.1f %% |\n"
            .formatted(
                words,
                uses.size(),
                100.0 * uses.size() / all,
                100.0 * uses.stream().filter(this::isToldByTelegraf).count() / uses.size(),
                100.0 * uses.stream().filter(this::isTold).count() / uses.size()));
  }

  private void share(
      StringBuilder text,
      String words,
      PublishedUses published,
      List<Dashboard> dashboards,
      Predicate<Use> counts,
      int percent) {
    long before = answered(published, dashboards, counts, this::isToldByTelegraf, percent);
    long after = answered(published, dashboards, counts, this::isTold, percent);
    text.append(
        "| %s | %d (%.0f %%) | %d (%.0f %%) |\n"
            .formatted(
                words,
                before,
                100.0 * before / dashboards.size(),
                after,
                100.0 * after / dashboards.size()));
  }

  private static long answered(
      PublishedUses published,
      List<Dashboard> dashboards,
      Predicate<Use> counts,
      Predicate<Use> told,
      int percent) {
    return dashboards.stream()
        .filter(
            dashboard -> {
              List<Use> uses =
                  published.of(dashboard).stream()
                      .filter(use -> use.adapter().equals("VMWARE"))
                      .filter(counts)
                      .toList();
              long answered =
                  uses.stream()
                      .filter(use -> told.test(use) || published.isSuperMetric(use))
                      .count();
              return answered * 100 >= uses.size() * (long) percent;
            })
        .count();
  }

  private static String introduction() {
    return """
        # Keys of a vCenter

        The collector of vCenter tells objects, properties and metrics under the kinds and keys of vRealize Operations (adapter kind VMWARE, of vSAN VirtualAndPhysicalSANAdapter). This page lists them by kind:
        search it for a key of a dashboard or super metric. [VCenterKeysTest](../vcenter/src/test/java/io/peerlens/vcenter/keys/VCenterKeysTest.java) makes it from what the
        collector does, and fails when it is out of date.

        Some keys are no counters of vCenter; the collector computes them as the list says
        ([Figures](../vcenter/src/main/java/io/peerlens/vcenter/performance/Figures.java)). Good to know of these:

        - What vCenter tells itself is never computed again. Where the size of a machine or host is unknown, its shares are left out.
        - A key with `20_sec_peak`, and one that ends with `_sum`, is told every five minutes, at their end. A peak needs twelve of the fifteen samples of twenty seconds, a sum all of
          them; the first five minutes after a start may have neither.
        - A figure over the machines of a host or the hosts of a cluster is told when all have told that moment, and after a minute without those that are late.
        - The bounds of the shares of machines (`percentage_of_vms_facing_...`) are fixed: 2.5 % ready, 1 % co-stop, 1 % memory contention. vROps has them in its policies; for others
          make a super metric that counts.

        ## Published dashboards

        How many of the keys that published dashboards and views of vROps use are told, by Telegraf's inputs.vsphere as [telegraf/vsphere.conf](telegraf/vsphere.conf) configures it, and by
        the collector. Both are found out from the mapping files and the collector itself.

        """;
  }

  private String keys() {
    StringBuilder text =
        new StringBuilder(
            """
            ## Keys by kind

            Each line has the key, what it is, its unit, whether it is told of instances (`net:4000|usage_average`), and where it comes from: a path of vim25, a counter of vCenter, or how it
            is computed. "Counted" is over the inventory.
            """);
    collector
        .byKind()
        .forEach(
            (kind, keys) -> {
              text.append("\n### ").append(kind).append("\n\n");
              keys.forEach(
                  (key, told) ->
                      text.append("- `")
                          .append(key)
                          .append("` ")
                          .append(told.what())
                          .append(told.unit().isEmpty() ? "" : ", " + told.unit())
                          .append(
                              !told.instances()
                                  ? ""
                                  : told.total() ? ", also of instances" : ", of instances")
                          .append(": ")
                          .append(told.from().replace("~", ""))
                          .append('\n'));
            });
    return text.toString();
  }
}
