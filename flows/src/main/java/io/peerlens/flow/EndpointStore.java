package io.peerlens.flow;

import io.peerlens.database.NamedStatement;
import io.peerlens.flow.decode.Observer;
import io.peerlens.flow.minute.EndpointRequest;
import io.peerlens.flow.minute.Endpoints;
import io.peerlens.flow.network.Addresses;
import io.peerlens.flow.network.Network;
import io.peerlens.ingest.Catalog;
import io.peerlens.ingest.key.ObjectAttributes;
import io.peerlens.ingest.key.ObjectKey;
import io.peerlens.ingest.key.SetKey;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Ids of the ends of flows, in the database.
 *
 * <ul>
 *   <li>An address that an object has is an end of its own.
 *   <li>So is an internal address without an object: an object of the kind {@code
 *       Peerlens/IpAddress} is made for it, up to a guard. What is beyond the guard shares one end
 *       for each network.
 *   <li>Other addresses share one end for each network, and one when they are in none.
 * </ul>
 *
 * <p>Asked for a whole batch, it needs a few statements, whatever the size. They are a transaction
 * each, before the flows are stored: an end without flows does no harm, and asking twice changes
 * nothing. An end whose network was defined otherwise in the meantime is moved. Thread-safe.
 */
final class EndpointStore implements Endpoints {

  /** The set of an IpAddress that is there from the start: where its flow metrics go. */
  private static final String GROUP = "net";

  private static final String INSTANCE = "flow";

  private static final String NETWORKS =
      """
      insert into flow_network (name)
      select name from unnest(:names::text[]) as t(name)
      where not exists (select from flow_network n where n.name = t.name)
      order by name on conflict do nothing
      """;
  private static final String NETWORK_IDS =
      "select name, id from flow_network where name = any (:names)";
  private static final String ADDRESS_OBJECTS =
      "select uuid, id from object where uuid = any (:uuids)";
  private static final String COUNT_ADDRESS_OBJECTS =
      "select count(*) from object where adapter_kind = :adapterKind and object_kind = :objectKind";

  private static final String ASKED =
      """
      with asked as (
        select *
        from unnest(:rows::int[], :addresses::text[]::inet[], :objects::int[], :networks::int[], :internal::boolean[])
          as t(i, address, object_id, network_id, internal)),
      moment as (select :now::timestamptz as now)
      """;
  private static final String INSERT_OWNED =
      ASKED
          + """
          insert into endpoint (address, object_id, network_id, internal, first_seen, last_seen)
          select a.address, a.object_id, a.network_id, a.internal, now, now from asked a, moment
          where not exists (
            select from endpoint e where e.address = a.address and e.object_id = a.object_id)
          order by a.address, a.object_id on conflict do nothing
          """;

  /** In the order of ids, so that nodes wait for each other instead of blocking for good. */
  private static final String MOVE_OWNED =
      ASKED
          + """
          , stale as (
            select e.id, a.network_id, a.internal from asked a
            join endpoint e on e.address = a.address and e.object_id = a.object_id
            where (e.network_id, e.internal) is distinct from (a.network_id, a.internal)
              or e.last_seen < (select now from moment) - interval '30 minutes'
            order by e.id for no key update of e)
          update endpoint e
          set network_id = s.network_id, internal = s.internal,
              last_seen = greatest(e.last_seen, (select now from moment))
          from stale s where e.id = s.id
          """;

  private static final String FIND_OWNED =
      ASKED
          + """
          select a.i, e.id from asked a
          join endpoint e on e.address = a.address and e.object_id = a.object_id
          """;

  /** An address is alive as long as it has flows: nothing else tells of it. */
  private static final String ALIVE =
      ASKED
          + """
          , stale as (
            select l.object_id from object_liveness l
            where l.object_id in (
                select o.id from object o join asked a on a.object_id = o.id
                where o.adapter_kind = :adapterKind and o.object_kind = :objectKind)
              and l.last_seen < (select now from moment) - interval '30 minutes'
            order by l.object_id for no key update)
          update object_liveness l set last_seen = (select now from moment)
          from stale s where l.object_id = s.object_id
          """;

  private static final String INSERT_FOLDED =
      ASKED
          + """
          insert into endpoint (network_id, internal, first_seen, last_seen)
          select distinct a.network_id, a.internal, now, now from asked a, moment
          where not exists (
            select from endpoint e
            where e.address is null and e.internal = a.internal
              and e.network_id is not distinct from a.network_id)
          on conflict do nothing
          """;
  private static final String SEE_FOLDED =
      ASKED
          + """
          , stale as (
            select e.id from endpoint e
            where e.address is null and e.last_seen < (select now from moment) - interval '30 minutes'
              and exists (
                select from asked a
                where e.internal = a.internal and e.network_id is not distinct from a.network_id)
            order by e.id for no key update)
          update endpoint e set last_seen = (select now from moment) from stale s where e.id = s.id
          """;
  private static final String FIND_FOLDED =
      ASKED
          + """
          select a.i, e.id from asked a
          join endpoint e on e.address is null and e.internal = a.internal
            and e.network_id is not distinct from a.network_id
          """;

  private static final String INSERT_OBSERVER =
      """
      insert into flow_observer (exporter, domain, version, first_seen, last_seen)
      select :exporter::inet, :domain, :version, :now::timestamptz, :now::timestamptz
      where not exists (
        select from flow_observer
        where exporter = :exporter::inet and domain = :domain and version = :version)
      on conflict do nothing
      """;
  private static final String FIND_OBSERVER =
      "select id from flow_observer where exporter = :exporter::inet and domain = :domain and version = :version";

  private final DataSource dataSource;
  private final Catalog catalog;
  private final int maxAddressObjects;
  private final InstantSource clock;
  private final LongAdder beyondGuard = new LongAdder();

  /**
   * @param catalog makes objects of addresses
   * @param maxAddressObjects so many of them at most
   */
  EndpointStore(
      DataSource dataSource, Catalog catalog, int maxAddressObjects, InstantSource clock) {
    this.dataSource = dataSource;
    this.catalog = catalog;
    this.maxAddressObjects = maxAddressObjects;
    this.clock = clock;
  }

  /** Ends as the statements take them: columns, in the order of the request. */
  private static final class Asked {
    final List<Integer> rows = new ArrayList<>();
    final List<@Nullable String> addresses = new ArrayList<>();
    final List<@Nullable Integer> objects = new ArrayList<>();
    final List<@Nullable Integer> networks = new ArrayList<>();
    final List<Boolean> internal = new ArrayList<>();

    void add(
        int row,
        @Nullable String address,
        @Nullable Integer object,
        @Nullable Integer network,
        boolean isInternal) {
      rows.add(row);
      addresses.add(address);
      objects.add(object);
      networks.add(network);
      internal.add(isInternal);
    }
  }

  @Override
  public void find(EndpointRequest request) {
    Map<String, Integer> objects = addressObjects(request);
    try (Connection connection = dataSource.getConnection()) {
      Map<String, Integer> networks = networks(connection, request);
      Asked owned = new Asked();
      Asked folded = new Asked();
      for (int i = 0; i < request.size(); i++) {
        Network network = request.network(i);
        Integer networkId = network == null ? null : networks.get(network.name());
        String address = Addresses.text(request.high(i), request.low(i));
        boolean internal = request.internal(i);
        Integer object =
            request.objectId(i) != EndpointRequest.NO_OBJECT
                ? Integer.valueOf(request.objectId(i))
                : objects.get(address);
        if (object != null) {
          owned.add(i, address, object, networkId, internal);
        } else {
          folded.add(i, null, null, networkId, internal);
        }
      }
      if (!owned.rows.isEmpty()) {
        update(connection, INSERT_OWNED, owned);
        update(connection, MOVE_OWNED, owned);
        try (NamedStatement alive = asked(connection, ALIVE, owned)) {
          kind(alive).update();
        }
        answer(connection, FIND_OWNED, owned, request);
      }
      if (!folded.rows.isEmpty()) {
        update(connection, INSERT_FOLDED, folded);
        update(connection, SEE_FOLDED, folded);
        answer(connection, FIND_FOLDED, folded, request);
      }
    } catch (SQLException e) {
      throw FlowStore.failure(e);
    }
  }

  private NamedStatement asked(Connection connection, String sql, Asked asked) throws SQLException {
    return new NamedStatement(connection, sql)
        .set("rows", "int4", asked.rows)
        .set("addresses", "text", asked.addresses)
        .set("objects", "int4", asked.objects)
        .set("networks", "int4", asked.networks)
        .set("internal", "bool", asked.internal)
        .set("now", clock.instant());
  }

  private static NamedStatement kind(NamedStatement statement) throws SQLException {
    return statement
        .set("adapterKind", AddressQueries.ADAPTER_KIND)
        .set("objectKind", AddressQueries.OBJECT_KIND);
  }

  private void update(Connection connection, String sql, Asked asked) throws SQLException {
    try (NamedStatement statement = asked(connection, sql, asked)) {
      statement.update();
    }
  }

  private void answer(Connection connection, String sql, Asked asked, EndpointRequest request)
      throws SQLException {
    try (NamedStatement statement = asked(connection, sql, asked)) {
      ResultSet row = statement.query();
      while (row.next()) {
        request.answer(row.getInt(1), row.getInt(2));
      }
    }
  }

  private static Map<String, Integer> networks(Connection connection, EndpointRequest request)
      throws SQLException {
    Set<String> names = new LinkedHashSet<>();
    for (int i = 0; i < request.size(); i++) {
      Network network = request.network(i);
      if (network != null) {
        names.add(network.name());
      }
    }
    Map<String, Integer> ids = new HashMap<>();
    if (names.isEmpty()) {
      return ids;
    }
    try (NamedStatement insert = new NamedStatement(connection, NETWORKS);
        NamedStatement find = new NamedStatement(connection, NETWORK_IDS)) {
      insert.set("names", "text", names).update();
      ResultSet row = find.set("names", "text", names).query();
      while (row.next()) {
        ids.put(row.getString(1), row.getInt(2));
      }
    }
    return ids;
  }

  /** The objects of internal addresses that nobody has, made as far as the guard allows. */
  private Map<String, Integer> addressObjects(EndpointRequest request) {
    Map<UUID, String> wanted = new LinkedHashMap<>();
    for (int i = 0; i < request.size(); i++) {
      if (request.objectId(i) == EndpointRequest.NO_OBJECT && request.internal(i)) {
        String address = Addresses.text(request.high(i), request.low(i));
        wanted.put(key(address).uuid(), address);
      }
    }
    Map<String, Integer> objects = new HashMap<>();
    if (wanted.isEmpty()) {
      return objects;
    }
    long room;
    try (Connection connection = dataSource.getConnection();
        NamedStatement statement = new NamedStatement(connection, ADDRESS_OBJECTS)) {
      ResultSet row = statement.set("uuids", "uuid", wanted.keySet()).query();
      while (row.next()) {
        String address = wanted.remove(row.getObject(1, UUID.class));
        if (address != null) {
          objects.put(address, row.getInt(2));
        }
      }
      room = wanted.isEmpty() ? 0 : maxAddressObjects - count(connection);
    } catch (SQLException e) {
      throw FlowStore.failure(e);
    }
    List<String> made = wanted.values().stream().limit(Math.max(0, room)).toList();
    beyondGuard.add(wanted.size() - made.size());
    if (!made.isEmpty()) {
      objects.putAll(make(made));
    }
    return objects;
  }

  private static long count(Connection connection) throws SQLException {
    try (NamedStatement statement = new NamedStatement(connection, COUNT_ADDRESS_OBJECTS)) {
      ResultSet row = kind(statement).query();
      row.next();
      return row.getLong(1);
    }
  }

  private Map<String, Integer> make(List<String> addresses) {
    long micros = clock.millis() * 1_000;
    List<Catalog.NewSet> sets =
        addresses.stream()
            .map(
                address ->
                    new Catalog.NewSet(
                        new SetKey(key(address), GROUP, INSTANCE),
                        new ObjectAttributes(
                            address, null, Map.of("ip_address", address), Map.of(), Set.of()),
                        micros,
                        false))
            .toList();
    Catalog.Answer answer =
        catalog.apply(
            new Catalog.Request(sets, Map.of(), List.of(), addresses.size(), 0, addresses.size()));
    Map<String, Integer> objects = new HashMap<>();
    for (int i = 0; i < addresses.size(); i++) {
      if (answer.sets().get(i) instanceof Catalog.KnownSet known) {
        objects.put(addresses.get(i), known.object().id());
      }
    }
    return objects;
  }

  private static ObjectKey key(String address) {
    return new ObjectKey(AddressQueries.ADAPTER_KIND, AddressQueries.OBJECT_KIND, address);
  }

  @Override
  public int observer(Observer observer) {
    String exporter = Addresses.text(observer.addressHigh(), observer.addressLow());
    try (Connection connection = dataSource.getConnection();
        NamedStatement insert = new NamedStatement(connection, INSERT_OBSERVER);
        NamedStatement find = new NamedStatement(connection, FIND_OBSERVER)) {
      set(insert, exporter, observer).set("now", clock.instant()).update();
      ResultSet row = set(find, exporter, observer).query();
      row.next();
      return row.getInt(1);
    } catch (SQLException e) {
      throw FlowStore.failure(e);
    }
  }

  private static NamedStatement set(NamedStatement statement, String exporter, Observer observer)
      throws SQLException {
    return statement
        .set("exporter", exporter)
        .set("domain", observer.domain())
        .set("version", observer.version().code());
  }

  /** Times that an internal address got no object because there were too many. */
  LongAdder beyondGuard() {
    return beyondGuard;
  }
}
