package io.peerlens.source.vcenter;

import io.peerlens.source.Outlet;
import io.peerlens.source.Part;
import io.peerlens.source.RoundReport;
import io.peerlens.source.SourceJournal;
import io.peerlens.source.Topic;
import io.peerlens.vcenter.inventory.Inventory;
import io.peerlens.vcenter.inventory.PropertyTable;
import io.peerlens.vcenter.vim.AutomationApi;
import io.peerlens.vcenter.vim.Moref;
import io.peerlens.vcenter.vim.ObjectUpdate;
import io.peerlens.vcenter.vim.PropertyChange;
import io.peerlens.vcenter.vim.PropertySpec;
import io.peerlens.vcenter.vim.UpdateSet;
import io.peerlens.vcenter.vim.VimClient;
import io.peerlens.vcenter.vim.VimException;
import io.peerlens.vcenter.vim.XmlValue;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reading of the configuration: everything once, then what changes. The property collector of
 * vCenter tells changes as they happen; tags, which tell nothing, are asked for every few seconds,
 * and what changes all the time every five minutes.
 */
final class ConfigurationSession {

  private static final Logger log = LoggerFactory.getLogger(ConfigurationSession.class);
  private static final Duration WAIT = Duration.ofSeconds(2);
  private static final Duration POLL = Duration.ofMinutes(5);
  private static final Duration REPORT = Duration.ofSeconds(15);
  private static final Duration TAGS = Duration.ofSeconds(3);
  private static final Duration PLACES = Duration.ofSeconds(2);
  private static final String FOLDER = "Folder";
  private static final Duration EVERYTHING = Duration.ofHours(1);
  private static final int PAGE = 100;
  private static final JsonMapper JSON = JsonMapper.shared();

  private final String source;
  private final String vcenter;
  private final String username;
  private final Supplier<String> password;
  private final Outlet outlet;
  private final SourceJournal journal;
  private final KnownObjects known;
  private final InstantSource clock;
  private final PropertyTable table = PropertyTable.shipped();
  private final DatastoreFileReading files = new DatastoreFileReading();
  private @Nullable Inventory inventory;

  ConfigurationSession(
      String source,
      String vcenter,
      String username,
      Supplier<String> password,
      Outlet outlet,
      SourceJournal journal,
      KnownObjects known,
      InstantSource clock) {
    this.source = source;
    this.vcenter = vcenter;
    this.username = username;
    this.password = password;
    this.outlet = outlet;
    this.journal = journal;
    this.known = known;
    this.clock = clock;
  }

  void run(VimClient client, Runnable works) throws VimException {
    Inventory all = inventory;
    boolean first = all == null;
    if (all == null) {
      all = new Inventory(table, vcenter, client.content().product());
      inventory = all;
    }
    new Reading(client, all, works).run(first);
  }

  /** One session of it. */
  private final class Reading {
    private final VimClient client;
    private final Inventory all;
    private final Runnable works;
    private final AutomationApi automation;
    private final Set<String> unknownPaths = new HashSet<>();
    private final Map<String, AutomationApi.Tag> tagsById = new HashMap<>();
    private final Map<String, String> categories = new HashMap<>();
    private final StoragePolicyReading storagePolicies;
    private boolean tagsSignedIn;
    private Instant tagsNext = Instant.MIN;
    private Instant placesNext = Instant.MIN;
    private String version = "";
    private @Nullable Moref collector;
    private long sent;
    private Instant reported = Instant.MIN;

    Reading(VimClient client, Inventory all, Runnable works) {
      this.client = client;
      this.all = all;
      this.works = works;
      this.automation = client.automation();
      this.storagePolicies = new StoragePolicyReading(automation);
    }

    void run(boolean first) throws VimException {
      try {
        Instant since = clock.instant();
        everything();
        slow();
        tags();
        policies();
        if (first) {
          all.missed(known.of(vcenter));
          known.told(vcenter, all::toldBefore);
        }
        flush(true);
        report(since, true);
        Instant polled = clock.instant();
        Instant read = polled;
        while (journal.held() && !Thread.currentThread().isInterrupted()) {
          since = clock.instant();
          changes();
          places();
          tags();
          files();
          boolean due = !since.isBefore(polled.plus(POLL));
          if (due) {
            polled = since;
            if (!since.isBefore(read.plus(EVERYTHING))) {
              read = since;
              everything();
              all.missed(known.of(vcenter));
            }
            slow();
            policies();
          }
          flush(due);
          report(since, due);
        }
      } finally {
        automation.logout();
      }
    }

    /** Everything that is watched, anew. */
    private void everything() throws VimException {
      while (true) {
        try {
          watch();
          Set<Moref> told = new HashSet<>();
          UpdateSet updates;
          do {
            updates = client.waitForUpdates(collector(), version, PAGE, WAIT);
            version = updates.version();
            for (ObjectUpdate update : updates.objects()) {
              told.add(update.object());
              all.apply(update);
            }
          } while (updates.truncated());
          all.keepOnly(told);
          return;
        } catch (VimException.Fault e) {
          if (!e.type().equals("InvalidProperty") || !unknownPaths.add(e.property())) {
            throw e;
          }
          log.info("{}: this vCenter does not know {}; it is left out", source, e.property());
        }
      }
    }

    private void watch() throws VimException {
      Moref before = collector;
      if (before != null) {
        client.destroyPropertyCollector(before);
      }
      collector = client.createPropertyCollector();
      version = "";
      client.createFilter(collector(), known(all.watched()));
    }

    private Moref collector() throws VimException {
      Moref made = collector;
      if (made == null) {
        made = client.createPropertyCollector();
        collector = made;
      }
      return made;
    }

    private List<PropertySpec> known(List<PropertySpec> specs) {
      List<PropertySpec> left = new ArrayList<>();
      for (PropertySpec spec : specs) {
        List<String> paths =
            spec.paths().stream().filter(path -> !unknownPaths.contains(path)).toList();
        left.add(new PropertySpec(spec.type(), paths));
      }
      return left;
    }

    /** What happened since the last time. */
    private void changes() throws VimException {
      Set<Moref> again = new LinkedHashSet<>();
      UpdateSet updates;
      do {
        try {
          updates = client.waitForUpdates(collector(), version, PAGE, WAIT);
        } catch (VimException.Fault e) {
          if (!e.type().equals("InvalidCollectorVersion")) {
            throw e;
          }
          log.info("{}: vCenter has forgotten what it told; everything is read again", source);
          everything();
          return;
        }
        version = updates.version();
        for (ObjectUpdate update : updates.objects()) {
          all.apply(update);
          if (update.kind() == ObjectUpdate.Kind.MODIFY
              && update.changes().stream().anyMatch(c -> c.path().equals("config.changeVersion"))) {
            again.add(update.object());
          }
        }
      } while (updates.truncated());
      if (!again.isEmpty()) {
        read(again, known(all.watched()));
      }
    }

    /** What changes all the time, and names of custom attributes. */
    private void slow() throws VimException {
      customFields();
      for (PropertySpec spec : all.polled()) {
        List<Moref> objects = all.ofType(spec.type());
        for (int from = 0; from < objects.size(); from += PAGE * 5) {
          List<Moref> some = objects.subList(from, Math.min(objects.size(), from + PAGE * 5));
          while (true) {
            try {
              read(some, known(List.of(spec)));
              break;
            } catch (VimException.Fault e) {
              if (e.type().equals("ManagedObjectNotFound")) {
                some = some.stream().filter(object -> !object.value().equals(e.object())).toList();
              } else if (!e.type().equals("InvalidProperty") || !unknownPaths.add(e.property())) {
                throw e;
              }
            }
          }
        }
      }
    }

    private void read(Collection<Moref> objects, List<PropertySpec> specs) throws VimException {
      client.retrieveProperties(
          objects,
          specs,
          update ->
              all.apply(
                  new ObjectUpdate(
                      ObjectUpdate.Kind.MODIFY,
                      update.object(),
                      withUnset(update, specs),
                      update.missing())));
    }

    /** What was asked for and not told is not set. */
    private List<PropertyChange> withUnset(ObjectUpdate update, List<PropertySpec> specs) {
      Map<String, PropertyChange> byPath = new LinkedHashMap<>();
      for (PropertySpec spec : specs) {
        if (spec.type().equals(update.object().type())) {
          spec.paths().forEach(path -> byPath.put(path, new PropertyChange(path, null)));
        }
      }
      update.changes().forEach(change -> byPath.put(change.path(), change));
      return List.copyOf(byPath.values());
    }

    private void customFields() throws VimException {
      if (client.content().customFieldsManager().isEmpty()) {
        return;
      }
      XmlValue fields = client.property(client.content().customFieldsManager().get(), "field");
      Map<String, String> names = new HashMap<>();
      if (fields != null) {
        fields.children().forEach(field -> names.put(field.text("key"), field.text("name")));
      }
      all.customFields(names);
    }

    /**
     * What folders hold: not every vCenter tells of a move into a folder. One that takes long to
     * say it is asked less often.
     */
    private void places() throws VimException {
      Instant since = clock.instant();
      if (since.isBefore(placesNext)) {
        return;
      }
      try {
        client.retrieveProperties(
            all.ofType(FOLDER),
            List.of(new PropertySpec(FOLDER, List.of("childEntity"))),
            all::holds);
      } catch (VimException.Fault e) {
        if (!e.type().equals("ManagedObjectNotFound")) { // one went just now
          throw e;
        }
      }
      Duration took = Duration.between(since, clock.instant()).multipliedBy(20);
      placesNext = since.plus(took.compareTo(PLACES) > 0 ? took : PLACES);
    }

    /** A vCenter that takes long to tell its tags is asked less often. */
    private void tags() throws VimException {
      Instant since = clock.instant();
      if (since.isBefore(tagsNext)) {
        return;
      }
      try {
        if (!tagsSignedIn) {
          automation.login(username, password.get());
          tagsSignedIn = true;
        }
        Map<Moref, Map<String, String>> tags = readTags();
        all.tags(tags, Set.copyOf(categories.values()));
      } catch (VimException e) {
        tagsSignedIn = false;
        tagsNext = clock.instant().plus(POLL);
        log.info("{}: tags are not told: {}", source, e.getMessage());
        return;
      }
      Duration took = Duration.between(since, clock.instant()).multipliedBy(10);
      tagsNext = since.plus(took.compareTo(TAGS) > 0 ? took : TAGS);
    }

    /** Storage policies, in the session of the tags; without it they stay as they were. */
    private void policies() {
      if (!tagsSignedIn) {
        return;
      }
      try {
        all.storagePolicies(storagePolicies.round(clock.instant(), all.ofType("VirtualMachine")));
      } catch (VimException e) {
        log.info("{}: storage policies are not told: {}", source, e.getMessage());
      }
    }

    /** Files of datastores; without them the rest is read all the same. */
    private void files() {
      if (files.round(client, clock.instant(), all)) {
        all.unreferencedDisks(files.found());
      }
    }

    private Map<Moref, Map<String, String>> readTags() throws VimException {
      List<String> ids = automation.tagIds();
      tagsById.keySet().retainAll(new HashSet<>(ids));
      for (String id : ids) {
        if (!tagsById.containsKey(id)) {
          AutomationApi.Tag tag = automation.tag(id);
          if (!categories.containsKey(tag.category())) {
            categories.put(tag.category(), automation.category(tag.category()));
          }
          tagsById.put(id, tag);
        }
      }
      Map<Moref, Map<String, TreeSet<String>>> sets = new HashMap<>();
      if (!ids.isEmpty()) {
        automation
            .attached(ids)
            .forEach(
                (id, objects) -> {
                  AutomationApi.Tag tag = tagsById.get(id);
                  if (tag != null) {
                    String category = categories.getOrDefault(tag.category(), tag.category());
                    for (Moref object : objects) {
                      sets.computeIfAbsent(object, o -> new HashMap<>())
                          .computeIfAbsent(category, c -> new TreeSet<>())
                          .add(tag.name());
                    }
                  }
                });
      }
      Map<Moref, Map<String, String>> tags = new HashMap<>();
      sets.forEach(
          (object, byCategory) -> {
            Map<String, String> texts = new HashMap<>();
            byCategory.forEach((category, names) -> texts.put(category, String.join(", ", names)));
            tags.put(object, texts);
          });
      return tags;
    }

    private void flush(boolean allMetrics) {
      int records =
          all.flush(
              clock.instant(),
              allMetrics,
              (id, record) -> outlet.send(Topic.METRICS, id, JSON.writeValueAsBytes(record)));
      if (records > 0) {
        try {
          outlet.flush();
        } catch (RuntimeException e) {
          all.resend();
          throw e;
        }
        sent += records;
      }
      works.run();
    }

    private void report(Instant since, boolean always) {
      Instant now = clock.instant();
      if (always || !now.isBefore(reported.plus(REPORT))) {
        reported = now;
        journal.report(
            new RoundReport(
                Part.CONFIGURATION, now, Duration.between(since, now), all.size(), sent, null));
        sent = 0;
      }
    }
  }
}
