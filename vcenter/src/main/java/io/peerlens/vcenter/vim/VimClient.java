package io.peerlens.vcenter.vim;

import static io.peerlens.vcenter.vim.VimTransport.nextChild;
import static io.peerlens.vcenter.vim.VimTransport.skip;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * Session with one vCenter over the vSphere Web Services API. Its calls block and may be made from
 * several threads. {@link #close} signs out and breaks off what is being waited for.
 */
public final class VimClient implements AutoCloseable {

  /** The oldest version that is spoken; every vCenter from 6.5 on knows it. */
  private static final String FIRST_VERSION = "6.5";

  private static final String SDK = "/sdk";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** For the first answer of all that is watched, which a vCenter gathers before it says a word. */
  private static final Duration PATIENCE_AT_FIRST = Duration.ofMinutes(5);

  private static final Duration SIGN_OUT = Duration.ofSeconds(5);

  private static final List<String> IN_FOLDERS =
      List.of(
          "folders",
          "machineFolder",
          "hostFolder",
          "datastoreFolder",
          "networkFolder",
          "hosts",
          "pool",
          "appMachines");

  private static final List<Descent> DESCENTS =
      List.of(
          new Descent("folders", "Folder", "childEntity", IN_FOLDERS),
          new Descent("machineFolder", "Datacenter", "vmFolder", List.of("folders")),
          new Descent("hostFolder", "Datacenter", "hostFolder", List.of("folders")),
          new Descent("datastoreFolder", "Datacenter", "datastoreFolder", List.of("folders")),
          new Descent("networkFolder", "Datacenter", "networkFolder", List.of("folders")),
          new Descent("hosts", "ComputeResource", "host", List.of()),
          new Descent("pool", "ComputeResource", "resourcePool", List.of("pools", "appMachines")),
          new Descent("pools", "ResourcePool", "resourcePool", List.of("pools", "appMachines")),
          new Descent("appMachines", "VirtualApp", "vm", List.of()));

  private final VimTransport transport;
  private final ServiceContent content;
  private volatile boolean signedIn;

  private VimClient(VimTransport transport, ServiceContent content) {
    this.transport = transport;
    this.content = content;
  }

  /**
   * Connects, and asks what the vCenter is. Nobody is signed in yet.
   *
   * @throws VimException if there is none, or it must not be connected to
   */
  public static VimClient connect(VimAddress address, HostAddresses addresses, Trust trust)
      throws VimException {
    VimTransport transport = new VimTransport(address, addresses, trust);
    try {
      byte[] call = SoapWriter.call("RetrieveServiceContent", Moref.SERVICE_INSTANCE, writer -> {});
      XmlValue answer =
          transport.call(SDK, "urn:vim25/" + FIRST_VERSION, call, PATIENCE, XmlValue::read);
      XmlValue content = answer.at("returnval");
      if (content == null) {
        throw new VimException.Unavailable("It answers, but is no vCenter", null);
      }
      return new VimClient(transport, new ServiceContent(content));
    } catch (VimException | RuntimeException e) {
      transport.close();
      throw e;
    }
  }

  /** What the vCenter says of itself. */
  public ServiceContent content() {
    return content;
  }

  /**
   * Signs in.
   *
   * @throws VimException.Fault of type {@code InvalidLogin} when account or password are wrong
   */
  public void login(String username, String password) throws VimException {
    value(
        "Login",
        content.sessionManager(),
        PATIENCE,
        arguments -> arguments.text("userName", username).text("password", password));
    signedIn = true;
  }

  /** The clock of the vCenter. */
  public Instant currentTime() throws VimException {
    XmlValue time = value("CurrentTime", Moref.SERVICE_INSTANCE, PATIENCE, arguments -> {});
    return time.time()
        .orElseThrow(
            () -> new VimException.Unavailable("The vCenter does not say what time it is", null));
  }

  /** A view of everything below the root folder, which follows what comes and goes. */
  public Moref createContainerView(Collection<String> types) throws VimException {
    return reference(
        "CreateContainerView",
        content.viewManager(),
        arguments -> {
          try {
            arguments.reference("container", content.rootFolder());
          } catch (VimException e) {
            throw new IllegalStateException(e);
          }
          types.forEach(type -> arguments.text("type", type));
          arguments.flag("recursive", true);
        });
  }

  /** A property collector of our own, whose versions nobody else moves. */
  public Moref createPropertyCollector() throws VimException {
    return reference("CreatePropertyCollector", content.propertyCollector(), arguments -> {});
  }

  /** Ends a property collector with its filters. */
  public void destroyPropertyCollector(Moref collector) throws VimException {
    call("DestroyPropertyCollector", collector, PATIENCE, arguments -> {}, XmlValue::read);
  }

  private static void viewSpec(SoapWriter spec, Moref view, Collection<PropertySpec> specs) {
    specs.forEach(properties -> properties.write(spec));
    spec.element(
        "objectSet",
        set -> {
          set.reference("obj", view);
          set.flag("skip", true);
          set.element(
              "selectSet",
              "TraversalSpec",
              traversal ->
                  traversal
                      .text("name", "view")
                      .text("type", view.type())
                      .text("path", "view")
                      .flag("skip", false));
        });
  }

  /**
   * Makes a collector watch properties of everything from the root folder down.
   *
   * <p>It follows folders, datacenters, clusters and pools itself, as clients did before there were
   * views. A filter over a view would say the same, but govmomi's simulator locks view and filter
   * in both orders and stands still for ever when an object comes while somebody waits.
   */
  public void createFilter(Moref collector, Collection<PropertySpec> specs) throws VimException {
    Moref root = content.rootFolder();
    reference(
        "CreateFilter",
        collector,
        arguments -> {
          arguments.element(
              "spec",
              spec -> {
                specs.forEach(properties -> properties.write(spec));
                spec.element(
                    "objectSet",
                    set -> {
                      set.reference("obj", root);
                      set.flag("skip", false);
                      DESCENTS.forEach(descent -> descent.write(set));
                    });
              });
          arguments.flag("partialUpdates", false);
        });
  }

  /** A step down, from objects of a type along a property, and on from there. */
  private record Descent(String name, String type, String path, List<String> on) {
    void write(SoapWriter set) {
      set.element(
          "selectSet",
          "TraversalSpec",
          traversal -> {
            traversal.text("name", name).text("type", type).text("path", path).flag("skip", false);
            on.forEach(next -> traversal.element("selectSet", select -> select.text("name", next)));
          });
    }
  }

  /**
   * Waits for news of what a collector watches.
   *
   * @param version of the last ones; empty = everything there is
   * @param maxObjects objects in one answer at most
   * @param maxWait how long to wait when nothing happens
   */
  public UpdateSet waitForUpdates(Moref collector, String version, int maxObjects, Duration maxWait)
      throws VimException {
    return call(
        "WaitForUpdatesEx",
        collector,
        maxWait.plus(version.isEmpty() ? PATIENCE_AT_FIRST : PATIENCE),
        arguments -> {
          arguments.text("version", version);
          arguments.element(
              "options",
              options ->
                  options
                      .number("maxWaitSeconds", maxWait.toSeconds())
                      .number("maxObjectUpdates", maxObjects));
        },
        xml -> updateSet(xml, version));
  }

  private static UpdateSet updateSet(XMLStreamReader xml, String before) throws XMLStreamException {
    String version = before;
    boolean truncated = false;
    boolean empty = true;
    List<ObjectUpdate> objects = new ArrayList<>();
    while (nextChild(xml)) { // returnval
      empty = false;
      while (nextChild(xml)) {
        switch (xml.getLocalName()) {
          case "version" -> version = xml.getElementText();
          case "truncated" -> truncated = Boolean.parseBoolean(xml.getElementText().trim());
          case "filterSet" -> {
            while (nextChild(xml)) {
              if (xml.getLocalName().equals("objectSet")) {
                objects.add(objectUpdate(XmlValue.read(xml)));
              } else {
                skip(xml);
              }
            }
          }
          default -> skip(xml);
        }
      }
    }
    return new UpdateSet(version, truncated, objects, empty);
  }

  private static ObjectUpdate objectUpdate(XmlValue update) throws XMLStreamException {
    Moref object =
        update.moref("obj").orElseThrow(() -> new XMLStreamException("an update names no object"));
    ObjectUpdate.Kind kind =
        switch (update.text("kind")) {
          case "enter" -> ObjectUpdate.Kind.ENTER;
          case "leave" -> ObjectUpdate.Kind.LEAVE;
          default -> ObjectUpdate.Kind.MODIFY;
        };
    List<PropertyChange> changes = new ArrayList<>();
    for (XmlValue change : update.all("changeSet")) {
      boolean gone = change.text("op").toLowerCase(Locale.ROOT).contains("remove");
      changes.add(new PropertyChange(change.text("name"), gone ? null : change.at("val")));
    }
    return new ObjectUpdate(kind, object, changes, missing(update));
  }

  private static List<ObjectUpdate.Missing> missing(XmlValue of) {
    List<ObjectUpdate.Missing> missing = new ArrayList<>();
    for (XmlValue path : of.all("missingSet")) {
      XmlValue fault = path.at("fault.fault");
      missing.add(new ObjectUpdate.Missing(path.text("path"), fault == null ? "" : fault.type()));
    }
    return missing;
  }

  /** Properties of some objects, in pages; what is not set is absent. */
  public void retrieveProperties(
      Collection<Moref> objects, Collection<PropertySpec> specs, Consumer<ObjectUpdate> taker)
      throws VimException {
    if (!objects.isEmpty()) {
      retrieve(
          spec -> {
            specs.forEach(properties -> properties.write(spec));
            objects.forEach(
                object ->
                    spec.element(
                        "objectSet", set -> set.reference("obj", object).flag("skip", false)));
          },
          taker);
    }
  }

  /** Properties of all objects of a view, in pages. */
  public void retrieveView(Moref view, Collection<PropertySpec> specs, Consumer<ObjectUpdate> taker)
      throws VimException {
    retrieve(spec -> viewSpec(spec, view, specs), taker);
  }

  private void retrieve(Consumer<SoapWriter> filter, Consumer<ObjectUpdate> taker)
      throws VimException {
    String token =
        call(
            "RetrievePropertiesEx",
            content.propertyCollector(),
            PATIENCE,
            arguments -> {
              arguments.element("specSet", filter);
              arguments.element("options", options -> options.number("maxObjects", 500));
            },
            xml -> retrieved(xml, taker));
    while (!token.isEmpty()) {
      String next = token;
      token =
          call(
              "ContinueRetrievePropertiesEx",
              content.propertyCollector(),
              PATIENCE,
              arguments -> arguments.text("token", next),
              xml -> retrieved(xml, taker));
    }
  }

  private static String retrieved(XMLStreamReader xml, Consumer<ObjectUpdate> taker)
      throws XMLStreamException {
    String token = "";
    while (nextChild(xml)) { // returnval
      while (nextChild(xml)) {
        switch (xml.getLocalName()) {
          case "token" -> token = xml.getElementText();
          case "objects" -> {
            XmlValue object = XmlValue.read(xml);
            Optional<Moref> moref = object.moref("obj");
            if (moref.isPresent()) {
              List<PropertyChange> values = new ArrayList<>();
              for (XmlValue property : object.all("propSet")) {
                values.add(new PropertyChange(property.text("name"), property.at("val")));
              }
              taker.accept(
                  new ObjectUpdate(ObjectUpdate.Kind.ENTER, moref.get(), values, missing(object)));
            }
          }
          default -> skip(xml);
        }
      }
    }
    return token;
  }

  /** One property of one object; null when it is not set. */
  public @Nullable XmlValue property(Moref object, String path) throws VimException {
    List<XmlValue> found = new ArrayList<>();
    retrieveProperties(
        List.of(object),
        List.of(new PropertySpec(object.type(), List.of(path))),
        update ->
            update.changes().stream()
                .map(PropertyChange::value)
                .filter(value -> value != null)
                .forEach(found::add));
    return found.isEmpty() ? null : found.getFirst();
  }

  /** All performance counters that this vCenter knows. */
  public List<PerfCounter> counters() throws VimException {
    XmlValue counters = property(content.perfManager(), "perfCounter");
    return counters == null
        ? List.of()
        : counters.children().stream().map(VimClient::counter).toList();
  }

  /** Some performance counters by their numbers. */
  public List<PerfCounter> counters(Collection<Integer> ids) throws VimException {
    return call(
            "QueryPerfCounter",
            content.perfManager(),
            PATIENCE,
            arguments -> ids.forEach(id -> arguments.number("counterId", id)),
            XmlValue::read)
        .all("returnval")
        .stream()
        .map(VimClient::counter)
        .toList();
  }

  private static PerfCounter counter(XmlValue info) {
    double level = info.number("level");
    return new PerfCounter(
        (int) info.number("key"),
        info.text("groupInfo.key"),
        info.text("nameInfo.key"),
        info.text("rollupType"),
        info.text("unitInfo.key"),
        Double.isNaN(level) ? 0 : (int) level);
  }

  /**
   * Asks for performance. Blocks come while they are read.
   *
   * @param patience how long vCenter may take
   */
  public void queryPerformance(
      List<PerfQuery> queries, Duration patience, Consumer<PerfBlock> taker) throws VimException {
    call(
        "QueryPerf",
        content.perfManager(),
        patience,
        arguments -> queries.forEach(query -> querySpec(arguments, query)),
        xml -> {
          while (nextChild(xml)) {
            PerfBlock block = PerfBlockReader.read(xml);
            if (block != null) {
              taker.accept(block);
            }
          }
          return null;
        });
  }

  private static void querySpec(SoapWriter arguments, PerfQuery query) {
    arguments.element(
        "querySpec",
        spec -> {
          spec.reference("entity", query.entity());
          if (query.from() != null) {
            spec.text("startTime", query.from().toString());
          }
          if (query.to() != null) {
            spec.text("endTime", query.to().toString());
          }
          if (query.maxSamples() > 0) {
            spec.number("maxSample", query.maxSamples());
          }
          for (PerfQuery.Metric metric : query.metrics()) {
            spec.element(
                "metricId",
                id -> id.number("counterId", metric.counter()).text("instance", metric.instance()));
          }
          spec.number("intervalId", query.intervalSeconds());
          spec.text("format", "csv");
        });
  }

  /**
   * What happened in the vCenter from a moment on, the oldest first.
   *
   * @param from by the clock of the vCenter
   */
  public History events(Instant from) throws VimException {
    Moref collector =
        reference(
            "CreateCollectorForEvents",
            content.eventManager(),
            arguments ->
                arguments.element(
                    "filter",
                    filter ->
                        filter.element("time", time -> time.text("beginTime", from.toString()))));
    return new History(this, collector, "ReadNextEvents");
  }

  /**
   * Tasks that came to their end from a moment on, with or without success.
   *
   * @param from by the clock of the vCenter
   */
  public History endedTasks(Instant from) throws VimException {
    Moref collector =
        reference(
            "CreateCollectorForTasks",
            content.taskManager(),
            arguments ->
                arguments.element(
                    "filter",
                    filter -> {
                      filter.element(
                          "time",
                          time ->
                              time.text("timeType", "completedTime")
                                  .text("beginTime", from.toString()));
                      filter.text("state", "success").text("state", "error");
                    }));
    return new History(this, collector, "ReadNextTasks");
  }

  /** Settings of the vCenter whose names begin so; empty when the account may not read them. */
  public Map<String, String> settings(String prefix) throws VimException {
    Optional<Moref> manager = content.settings();
    if (manager.isEmpty()) {
      return Map.of();
    }
    try {
      Map<String, String> settings = new LinkedHashMap<>();
      XmlValue answer =
          call(
              "QueryOptions",
              manager.get(),
              PATIENCE,
              arguments -> arguments.text("name", prefix),
              XmlValue::read);
      for (XmlValue option : answer.all("returnval")) {
        settings.put(option.text("key"), option.text("value"));
      }
      return settings;
    } catch (VimException.Fault e) {
      if (e.type().equals("InvalidName") || e.type().equals("NoPermission")) {
        return Map.of();
      }
      throw e;
    }
  }

  /**
   * Which of some privileges the signed-in account has on an object.
   *
   * @return by privilege; empty when the vCenter does not say
   */
  public Map<String, Boolean> privileges(Moref object, List<String> names) throws VimException {
    XmlValue session = property(content.sessionManager(), "currentSession");
    if (session == null) {
      return Map.of();
    }
    XmlValue answer =
        call(
            "HasPrivilegeOnEntities",
            content.authorizationManager(),
            PATIENCE,
            arguments -> {
              arguments.reference("entity", object);
              arguments.text("sessionId", session.text("key"));
              names.forEach(name -> arguments.text("privId", name));
            },
            XmlValue::read);
    Map<String, Boolean> found = new LinkedHashMap<>();
    for (XmlValue entity : answer.all("returnval")) {
      for (XmlValue privilege : entity.all("privAvailability")) {
        found.put(privilege.text("privId"), privilege.isTrue("isGranted"));
      }
    }
    return found;
  }

  /** The Automation API of the same vCenter, over the same connections. */
  public AutomationApi automation() {
    return new AutomationApi(transport);
  }

  /**
   * A call whose answer is one value.
   *
   * @param arguments written after the object that is called
   */
  XmlValue value(String method, Moref self, Duration patience, Consumer<SoapWriter> arguments)
      throws VimException {
    XmlValue returned = call(method, self, patience, arguments, XmlValue::read).at("returnval");
    if (returned == null) {
      throw new VimException.Unavailable(method + " was answered with nothing", null);
    }
    return returned;
  }

  private Moref reference(String method, Moref self, Consumer<SoapWriter> arguments)
      throws VimException {
    return value(method, self, PATIENCE, arguments)
        .moref()
        .orElseThrow(
            () -> new VimException.Unavailable(method + " was answered without an object", null));
  }

  <T extends @Nullable Object> T call(
      String method,
      Moref self,
      Duration patience,
      Consumer<SoapWriter> arguments,
      VimTransport.Answer<T> answer)
      throws VimException {
    String version = content.apiVersion().isEmpty() ? FIRST_VERSION : content.apiVersion();
    return transport.call(
        SDK, "urn:vim25/" + version, SoapWriter.call(method, self, arguments), patience, answer);
  }

  /** Signs out, and ends all connections. */
  @Override
  public void close() {
    if (signedIn) {
      signedIn = false;
      try {
        call("Logout", content.sessionManager(), SIGN_OUT, arguments -> {}, XmlValue::read);
      } catch (VimException e) {
        // vCenter ends the session by itself after half an hour.
      }
    }
    transport.close();
  }

  /** Milliseconds since 1970 of a time of vCenter. */
  static long millis(String time) {
    try {
      return OffsetDateTime.parse(time).toInstant().toEpochMilli();
    } catch (DateTimeParseException e) {
      return Long.MIN_VALUE;
    }
  }
}
