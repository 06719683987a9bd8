package io.peerlens.vcenter.inventory;

import io.peerlens.vcenter.inventory.ObjectRecord.Relative;
import io.peerlens.vcenter.inventory.PropertyTable.TypeTable;
import io.peerlens.vcenter.vim.Moref;
import io.peerlens.vcenter.vim.ObjectUpdate;
import io.peerlens.vcenter.vim.PropertyChange;
import io.peerlens.vcenter.vim.PropertySpec;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/**
 * Inventory of one vCenter: takes in what its property collector tells, joins names and relations,
 * counts, and gives out a record for each object that changed. Not thread-safe.
 */
public final class Inventory {

  /** vROps' kind of the vCenter itself. */
  public static final String VCENTER_KIND = "VMwareAdapter Instance";

  private static final TypeTable VCENTER = new TypeTable(VCENTER_KIND, Map.of(), Map.of());
  private static final Pattern VERSION = Pattern.compile("\\b\\d+(\\.\\d+)+\\b");

  /** Groups of the properties that collectors of vCenters tell. */
  private static final Set<String> OURS =
      Set.of(
          "capability",
          "config",
          "configuration",
          "cpu",
          "datastore",
          "disk",
          "diskspace",
          "hardware",
          "net",
          "numa",
          "runtime",
          "storageAdapter",
          "summary",
          "sys",
          "unreferencedDisk",
          "unreferencedDisks",
          "virtualDisk",
          "vsan");

  private final PropertyTable table;
  private final String vcenter;
  private final String product;
  private final Entity self;
  private final Units units = new Units();
  private final Entities entities;
  private final Places places;
  private final Set<Moref> dirty = new LinkedHashSet<>();
  private final List<ObjectNode> gone = new ArrayList<>();
  private Map<String, String> fieldNames = Map.of();
  private Map<Moref, Map<String, String>> tags = Map.of();
  private Map<Moref, StoragePolicies> policies = Map.of();
  private Map<Moref, UnreferencedDisks> unreferenced = Map.of();

  /** Categories of tags; none while tags are not known. */
  private Set<String> categories = Set.of();

  /** What was told of objects by another collector, by their ids, until it can be judged. */
  private final Map<String, Set<String>> toldBefore = new HashMap<>();

  private Map<Moref, Tally> tallies = Map.of();
  private boolean allDirty = true;

  /**
   * @param vcenter what the vCenter is called in ids, see {@code VimAddress#identity}
   * @param product product and version of the vCenter
   */
  public Inventory(PropertyTable table, String vcenter, String product) {
    this.table = table;
    this.vcenter = vcenter;
    this.product = product;
    this.entities = new Entities(vcenter);
    this.places = new Places(vcenter, entities);
    this.self = new Entity(entities.vcenter(), VCENTER);
  }

  /** What a property collector is to watch. */
  public List<PropertySpec> watched() {
    return specs(TypeTable::watchedPaths);
  }

  /** What is to be read from time to time. */
  public List<PropertySpec> polled() {
    return specs(TypeTable::polledPaths);
  }

  private List<PropertySpec> specs(Function<TypeTable, Set<String>> paths) {
    List<PropertySpec> specs = new ArrayList<>();
    for (String type : table.types()) {
      Set<String> of = paths.apply(Objects.requireNonNull(table.of(type)));
      if (!of.isEmpty()) {
        specs.add(new PropertySpec(type, of));
      }
    }
    return specs;
  }

  /** Takes in news of one object. */
  public void apply(ObjectUpdate update) {
    Moref moref = update.object();
    if (update.kind() == ObjectUpdate.Kind.LEAVE) {
      remove(moref);
      return;
    }
    TypeTable type = table.of(moref.type());
    if (type == null) {
      return;
    }
    Entity entity = entities.get(moref);
    if (entity == null) {
      if (update.kind() != ObjectUpdate.Kind.ENTER) {
        return; // late news of one that is gone
      }
      entity = new Entity(moref, type);
      entities.add(entity);
    }
    if (update.kind() == ObjectUpdate.Kind.ENTER) {
      entity.unset(type.watchedPaths(), update.changes());
    }
    for (PropertyChange change : update.changes()) {
      entity.set(change.path(), change.value(), units);
      if (change.path().equals("childEntity")) {
        adopt(entity);
      }
      allDirty |= isSeenByOthers(moref, change.path());
    }
    dirty.add(moref);
  }

  /** Names and places of what holds others are told in the records of these, too. */
  private static boolean isSeenByOthers(Moref moref, String path) {
    return switch (path) {
      case "name" -> !moref.type().equals("VirtualMachine");
      case "parent", "childEntity" -> !moref.type().equals("VirtualMachine");
      default -> false;
    };
  }

  /** Takes in what a folder holds now, which was read and not told. */
  public void holds(ObjectUpdate read) {
    Entity folder = entities.get(read.object());
    if (folder == null) {
      return;
    }
    for (PropertyChange change : read.changes()) {
      if (change.path().equals("childEntity")) {
        Set<Moref> before = Set.copyOf(folder.references("childEntity"));
        folder.set(change.path(), change.value(), units);
        if (!before.equals(Set.copyOf(folder.references("childEntity")))) {
          adopt(folder);
          dirty.add(read.object());
          allDirty = true;
        }
      }
    }
  }

  /** A folder tells of moves even where its children do not. */
  private void adopt(Entity folder) {
    for (Moref child : folder.references("childEntity")) {
      Entity entity = entities.get(child);
      if (entity != null && !entity.reference("parent").equals(Optional.of(folder.moref))) {
        entity.moveTo(folder.moref);
        dirty.add(child);
        allDirty |= !child.type().equals("VirtualMachine");
      }
    }
  }

  private void remove(Moref moref) {
    Entity entity = entities.remove(moref);
    dirty.remove(moref);
    if (entity != null && !entity.kind().isEmpty()) {
      entity
          .sentParts
          .values()
          .forEach(part -> gone.add(ObjectRecord.gone(part.kind(), part.id(), Instant.EPOCH)));
      gone.add(ObjectRecord.gone(entity.kind(), id(moref), Instant.EPOCH));
      allDirty = true;
    }
  }

  /**
   * Forgets everything that a whole reading did not tell again.
   *
   * @param told all objects that it told
   */
  public void keepOnly(Set<Moref> told) {
    for (Moref moref : entities.morefs()) {
      if (!told.contains(moref)) {
        remove(moref);
      }
    }
  }

  /** Names of the custom attributes by their numbers. */
  public void customFields(Map<String, String> names) {
    if (!names.equals(fieldNames)) {
      fieldNames = Map.copyOf(names);
      allDirty = true;
    }
  }

  /**
   * vSphere's tags of all objects: the names in each category, by category.
   *
   * @param categories all that there are
   */
  public void tags(Map<Moref, Map<String, String>> now, Set<String> categories) {
    this.categories = Set.copyOf(categories);
    changed(tags, now);
    tags = Map.copyOf(now);
  }

  /** Storage policies of all machines that have any. */
  public void storagePolicies(Map<Moref, StoragePolicies> now) {
    changed(policies, now);
    policies = Map.copyOf(now);
  }

  /** Disks that no machine refers to, of all datastores whose files were asked for. */
  public void unreferencedDisks(Map<Moref, UnreferencedDisks> now) {
    changed(unreferenced, now);
    unreferenced = Map.copyOf(now);
  }

  /** Notes of which objects something is told that was not before, or is not any more. */
  private <T> void changed(Map<Moref, T> before, Map<Moref, T> now) {
    for (Map.Entry<Moref, T> entry : now.entrySet()) {
      if (!entry.getValue().equals(before.get(entry.getKey()))) {
        dirty.add(entry.getKey());
      }
    }
    before.keySet().stream().filter(moref -> !now.containsKey(moref)).forEach(dirty::add);
  }

  /** Datastores that can be reached, with their names. */
  public Map<Moref, String> datastores() {
    Map<Moref, String> names = new LinkedHashMap<>();
    for (Entity entity : entities.all()) {
      if (entity.kind().equals("Datastore")
          && !entity.property("summary|accessible").equals("PoweredOff")) {
        names.put(entity.moref, entity.name());
      }
    }
    return names;
  }

  /** What machines own on a datastore. */
  public DiskOwners ownersOn(Moref datastore) {
    Entity entity = entities.get(datastore);
    return DiskOwners.of(datastore, entity == null ? "" : entity.name(), entities.all());
  }

  /** Objects of a type of vim25. */
  public List<Moref> ofType(String type) {
    return entities.morefs().stream().filter(moref -> moref.type().equals(type)).toList();
  }

  /** Number of objects of ours. */
  public long size() {
    return entities.all().stream().filter(entity -> !entity.kind().isEmpty()).count() + 1;
  }

  /** What an object is called in records. */
  public String id(Moref moref) {
    return entities.id(moref);
  }

  /**
   * Sends what changed.
   *
   * @param allMetrics whether every metric of every object is sent, changed or not
   * @param send takes the id of an object and its record
   * @return how many records were sent
   */
  public int flush(Instant now, boolean allMetrics, BiConsumer<String, ObjectNode> send) {
    int sent = 0;
    for (ObjectNode record : gone) {
      record.put("time", now.toString());
      send.accept(record.path("id").stringValue(), record);
      sent++;
    }
    gone.clear();
    if (dirty.isEmpty() && !allDirty && !allMetrics) {
      return sent;
    }
    tallies = Tally.all(entities);
    List<Entity> changed = new ArrayList<>();
    changed.add(self);
    for (Entity entity : entities.all()) {
      if (!entity.kind().isEmpty()) {
        changed.add(entity);
      }
    }
    boolean everything = allDirty || allMetrics;
    changed.removeIf(
        entity ->
            !everything
                && !dirty.contains(entity.moref)
                && entity.sent != null
                && !hasOtherTally(entity));
    changed.sort(Comparator.comparingInt(entity -> order(entity.kind())));
    for (Entity entity : changed) {
      ObjectRecord record = record(entity, now);
      ObjectNode json = record.since(entity.sent, allMetrics, now, units);
      entity.sent = record;
      if (json != null) {
        takeAway(entity, record, json);
      }
      if (json != null) {
        send.accept(record.id(), json);
        sent++;
      }
      sent += flushParts(entity, allMetrics, now, send);
    }
    dirty.clear();
    allDirty = false;
    return sent;
  }

  /** Sends what changed of the parts that are objects, and those that are gone. */
  private int flushParts(
      Entity entity, boolean allMetrics, Instant now, BiConsumer<String, ObjectNode> send) {
    Map<String, ObjectRecord> parts = parts(entity);
    int sent = 0;
    for (ObjectRecord part : parts.values()) {
      ObjectNode json = part.since(entity.sentParts.get(part.id()), allMetrics, now, units);
      if (json != null) {
        send.accept(part.id(), json);
        sent++;
      }
    }
    for (ObjectRecord before : entity.sentParts.values()) {
      if (!parts.containsKey(before.id())) {
        send.accept(before.id(), ObjectRecord.gone(before.kind(), before.id(), now));
        sent++;
      }
    }
    entity.sentParts = parts;
    return sent;
  }

  private Map<String, ObjectRecord> parts(Entity entity) {
    Map<String, ObjectRecord> parts = new LinkedHashMap<>();
    for (Component component : entity.components()) {
      Map<String, String> properties = new TreeMap<>(component.properties());
      properties.put("summary|parentHost", entity.name());
      properties.put("summary|parentVcenter", vcenter);
      entities
          .datacenter(entity)
          .ifPresent(at -> properties.put("summary|parentDatacenter", at.name()));
      Set<Relative> parents = new LinkedHashSet<>();
      ObjectRecord holder = component.of() == null ? null : parts.get(partId(component.of()));
      if (holder == null) {
        entities.relate(parents, entity);
      } else {
        parents.add(new Relative(holder.kind(), holder.id()));
      }
      entities
          .cluster(entity)
          .ifPresent(
              cluster -> {
                properties.put("summary|parentCluster", cluster.name());
                if (holder == null) {
                  entities.relate(parents, cluster);
                }
              });
      ObjectRecord part =
          new ObjectRecord(
              component.kind(),
              partId(component.id()),
              entity.name() + " " + component.name(),
              null,
              properties,
              Map.of(),
              parents,
              Set.of(),
              new TreeMap<>(component.metrics()));
      parts.put(part.id(), part);
    }
    return parts;
  }

  private String partId(String id) {
    return vcenter + "/" + id;
  }

  /**
   * Notes what was told of an object before this collector began, perhaps by another node. What of
   * it is not so any more, is taken away with the first record.
   *
   * @param keys {@code property:NAME}, {@code tag:NAME}, {@code parent:KIND}, {@code child:KIND}
   */
  public void toldBefore(String id, Set<String> keys) {
    toldBefore.put(id, keys);
  }

  /** Takes away what was told before; disks of a datastore wait until its files were listed. */
  private void takeAway(Entity entity, ObjectRecord record, ObjectNode json) {
    Set<String> before = toldBefore.remove(record.id());
    if (before == null) {
      return;
    }
    UnreferencedDisks listed = unreferenced.get(entity.moref);
    Set<String> later = new HashSet<>();
    if (listed == null || listed.listedAt() == null) {
      before.stream().filter(key -> key.startsWith("property:unreferenced")).forEach(later::add);
    }
    if (!later.isEmpty()) {
      toldBefore.put(record.id(), later);
    }
    record.takeAway(
        json, before.stream().filter(key -> isOurs(key) && !later.contains(key)).toList());
  }

  /**
   * Whether a key is told by collectors of vCenters; others may send records of the object, too.
   */
  private boolean isOurs(String key) {
    String name = key.substring(key.indexOf(':') + 1);
    if (key.startsWith("tag:")) {
      return categories.contains(name) || fieldNames.containsValue(name);
    }
    if (!key.startsWith("property:")) {
      return table.kinds().contains(name);
    }
    if (name.contains("|storagePolicy") || (name.equals("summary|tag") && categories.isEmpty())) {
      return false; // they may not be read yet
    }
    return OURS.contains(name.split("[|:]", 2)[0]);
  }

  /** Forgets what was sent: the next flush sends everything. */
  public void resend() {
    entities
        .all()
        .forEach(
            entity -> {
              entity.sent = null;
              entity.sentParts = Map.of();
            });
    self.sent = null;
    allDirty = true;
  }

  private boolean hasOtherTally(Entity entity) {
    Tally tally = tallies.get(entity.moref);
    if (tally == null || entity.sent == null) {
      return false;
    }
    Map<String, Double> counts = new HashMap<>();
    tally.tell(entity.kind(), counts::put, units);
    Map<String, Double> before = entity.sent.metrics();
    return counts.entrySet().stream().anyMatch(e -> !e.getValue().equals(before.get(e.getKey())));
  }

  private static int order(String kind) {
    int place = ObjectRecord.ORDER.indexOf(kind);
    return place < 0 ? ObjectRecord.ORDER.size() : place;
  }

  private ObjectRecord record(Entity entity, Instant now) {
    Map<String, String> properties = new TreeMap<>();
    Map<String, Double> metrics = new TreeMap<>();
    for (Facts facts : entity.facts()) {
      properties.putAll(facts.properties());
      metrics.putAll(facts.metrics());
    }
    StoragePolicies stored = policies.get(entity.moref);
    if (stored != null) {
      stored.tell(properties);
    }
    UnreferencedDisks listed = unreferenced.get(entity.moref);
    if (listed != null) {
      listed.tell(properties, metrics, units, now);
    }
    entity.facts().forEach(facts -> rename(facts.names(), properties));
    Set<Relative> parents = new LinkedHashSet<>();
    Set<Relative> children = new LinkedHashSet<>();
    if (entity == self) {
      properties.put("summary|product", product);
      Matcher version = VERSION.matcher(product);
      if (version.find()) {
        properties.put("summary|version", version.group());
      }
    } else {
      properties.put("summary|MOID", entity.moref.value());
      properties.put("summary|parentVcenter", vcenter);
      places.tell(entity, properties, parents, children);
      labels(entity, properties);
      ages(entity, now, properties, metrics);
    }
    Tally tally = tallies.get(entity.moref);
    if (tally != null) {
      tally.tell(entity.kind(), metrics::put, units);
    }
    return new ObjectRecord(
        entity.kind(),
        entity == self ? vcenter : id(entity.moref),
        entity == self ? vcenter : entity.name().isEmpty() ? entity.moref.value() : entity.name(),
        places.locator(entity),
        properties,
        tagsOf(entity),
        parents,
        children,
        metrics);
  }

  /** Puts what is told of an instance by another name beside the rest that is told of it. */
  private static void rename(Map<String, String> names, Map<String, String> properties) {
    if (names.isEmpty()) {
      return;
    }
    for (Map.Entry<String, String> property : Map.copyOf(properties).entrySet()) {
      String key = property.getKey();
      int bar = key.lastIndexOf('|');
      String name = bar < 0 ? null : names.get(key.substring(0, bar));
      if (name != null) {
        properties.remove(key);
        properties.put(name + key.substring(bar), property.getValue());
      }
    }
  }

  private void labels(Entity entity, Map<String, String> properties) {
    entity
        .customValues()
        .forEach(
            (key, value) -> {
              String name = fieldNames.get(key);
              if (name != null && !value.isBlank()) {
                Texts.put(properties, "summary|customTag:" + name + "|customTagValue", value);
              }
            });
    Map<String, String> tagged = tags.getOrDefault(entity.moref, Map.of());
    List<String> written = new ArrayList<>();
    new TreeMap<>(tagged)
        .forEach((category, names) -> written.add("<" + category + "-" + names + ">"));
    if (!written.isEmpty()) {
      Texts.put(properties, "summary|tag", "[" + String.join(", ", written) + "]");
    }
  }

  /** Labels of ours: custom attributes, and vSphere's tags by category, which win. */
  private Map<String, String> tagsOf(Entity entity) {
    Map<String, String> labels = new TreeMap<>();
    entity
        .customValues()
        .forEach(
            (key, value) -> {
              String name = fieldNames.get(key);
              if (name != null && !value.isBlank()) {
                Texts.put(labels, name, value);
              }
            });
    tags.getOrDefault(entity.moref, Map.of())
        .forEach((name, text) -> Texts.put(labels, name, text));
    return labels;
  }

  /** What grows although nothing changes: whole days since the oldest snapshot, -1 without one. */
  private static void ages(
      Entity entity, Instant now, Map<String, String> properties, Map<String, Double> metrics) {
    if (!entity.kind().equals("VirtualMachine")) {
      return;
    }
    long oldest = -1;
    for (Map.Entry<String, String> entry : Map.copyOf(properties).entrySet()) {
      if (entry.getKey().startsWith("diskspace|snapshot:")
          && entry.getKey().endsWith("|createTime")) {
        long days = days(entry.getValue(), now);
        String group = entry.getKey().substring(0, entry.getKey().lastIndexOf('|'));
        properties.put(group + "|numberOfDays", Long.toString(days));
        oldest = Math.max(oldest, days);
      }
    }
    properties.put("diskspace|snapshot|snapshotAge", Long.toString(oldest));
    metrics.putIfAbsent("summary|snapshot_count", 0.0);
    if (oldest >= 0) {
      metrics.put("diskspace|snapshot|age", (double) oldest);
    }
  }

  private static long days(String time, Instant now) {
    try {
      return Math.max(0, Duration.between(OffsetDateTime.parse(time).toInstant(), now).toDays());
    } catch (DateTimeException e) {
      return 0;
    }
  }

  /** Ids of all objects of ours, with their kinds. */
  public Map<String, String> kindsById() {
    Map<String, String> kinds = new HashMap<>();
    for (Entity entity : entities.all()) {
      if (!entity.kind().isEmpty()) {
        kinds.put(id(entity.moref), entity.kind());
        entity.components().forEach(part -> kinds.put(partId(part.id()), part.kind()));
      }
    }
    kinds.put(vcenter, VCENTER_KIND);
    return kinds;
  }

  /**
   * Notes objects that were known before and are not any more, for instance since nobody collected
   * when they were deleted.
   *
   * @param known kinds by id, of this vCenter alone
   */
  public void missed(Map<String, String> known) {
    Set<String> there = new HashSet<>(kindsById().keySet());
    known.forEach(
        (id, kind) -> {
          if (!there.contains(id) && table.kinds().contains(kind)) {
            gone.add(ObjectRecord.gone(kind, id, Instant.EPOCH));
          }
        });
  }
}
