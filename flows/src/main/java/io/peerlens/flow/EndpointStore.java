package io.peerlens.flow;

import io.peerlens.ingest.Catalog;
import io.peerlens.ingest.flow.Addresses;
import io.peerlens.ingest.flow.EndpointRequest;
import io.peerlens.ingest.flow.Endpoints;
import io.peerlens.ingest.flow.Network;
import io.peerlens.ingest.flow.Observer;
import io.peerlens.ingest.key.ObjectAttributes;
import io.peerlens.ingest.key.ObjectKey;
import io.peerlens.ingest.key.SetKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
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
 * Gives ids to the ends of flows.
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
      select name from unnest(?::text[]) as t(name)
      where not exists (select from flow_network n where n.name = t.name)
      order by name on conflict do nothing
      """;
  private static final String NETWORK_IDS =
      "select name, id from flow_network where name = any (?)";
  private static final String ADDRESS_OBJECTS = "select uuid, id from object where uuid = any (?)";
  private static final String COUNT_ADDRESS_OBJECTS =
      "select count(*) from object where adapter_kind = ? and object_kind = ?";

  private static final String ASKED =
      """
      with asked as (
        select * from unnest(?::int[], ?::text[]::inet[], ?::int[], ?::int[], ?::boolean[])
          as t(i, address, object_id, network_id, internal)),
      moment as (select ?::timestamptz as now)
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
                where o.adapter_kind = ? and o.object_kind = ?)
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
      select ?::inet, ?, ?, ?::timestamptz, ?::timestamptz
      where not exists (select from flow_observer where exporter = ?::inet and domain = ? and version = ?)
      on conflict do nothing
      """;
  private static final String FIND_OBSERVER =
      "select id from flow_observer where exporter = ?::inet and domain = ? and version = ?";

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

    void set(Connection connection, PreparedStatement statement, OffsetDateTime now)
        throws SQLException {
      statement.setArray(1, connection.createArrayOf("int4", rows.toArray()));
      statement.setArray(2, connection.createArrayOf("text", addresses.toArray()));
      statement.setArray(3, connection.createArrayOf("int4", objects.toArray()));
      statement.setArray(4, connection.createArrayOf("int4", networks.toArray()));
      statement.setArray(5, connection.createArrayOf("bool", internal.toArray()));
      statement.setObject(6, now);
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
        update(connection, ALIVE, owned, AddressQueries.ADAPTER_KIND, AddressQueries.OBJECT_KIND);
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

  private void update(Connection connection, String sql, Asked asked, String... more)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      asked.set(connection, statement, now());
      for (int i = 0; i < more.length; i++) {
        statement.setString(7 + i, more[i]);
      }
      statement.executeUpdate();
    }
  }

  private void answer(Connection connection, String sql, Asked asked, EndpointRequest request)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      asked.set(connection, statement, now());
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          request.answer(row.getInt(1), row.getInt(2));
        }
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
    try (PreparedStatement statement = connection.prepareStatement(NETWORKS)) {
      statement.setArray(1, connection.createArrayOf("text", names.toArray()));
      statement.executeUpdate();
    }
    try (PreparedStatement statement = connection.prepareStatement(NETWORK_IDS)) {
      statement.setArray(1, connection.createArrayOf("text", names.toArray()));
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          ids.put(row.getString(1), row.getInt(2));
        }
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
    try (Connection connection = dataSource.getConnection()) {
      try (PreparedStatement statement = connection.prepareStatement(ADDRESS_OBJECTS)) {
        statement.setArray(1, connection.createArrayOf("uuid", wanted.keySet().toArray()));
        try (ResultSet row = statement.executeQuery()) {
          while (row.next()) {
            String address = wanted.remove(row.getObject(1, UUID.class));
            if (address != null) {
              objects.put(address, row.getInt(2));
            }
          }
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
    try (PreparedStatement statement = connection.prepareStatement(COUNT_ADDRESS_OBJECTS)) {
      statement.setString(1, AddressQueries.ADAPTER_KIND);
      statement.setString(2, AddressQueries.OBJECT_KIND);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
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
        objects.put(addresses.get(i), known.objectId());
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
    try (Connection connection = dataSource.getConnection()) {
      try (PreparedStatement statement = connection.prepareStatement(INSERT_OBSERVER)) {
        set(statement, 1, exporter, observer);
        statement.setObject(4, now());
        statement.setObject(5, now());
        set(statement, 6, exporter, observer);
        statement.executeUpdate();
      }
      try (PreparedStatement statement = connection.prepareStatement(FIND_OBSERVER)) {
        set(statement, 1, exporter, observer);
        try (ResultSet row = statement.executeQuery()) {
          row.next();
          return row.getInt(1);
        }
      }
    } catch (SQLException e) {
      throw FlowStore.failure(e);
    }
  }

  private static void set(
      PreparedStatement statement, int first, String exporter, Observer observer)
      throws SQLException {
    statement.setString(first, exporter);
    statement.setLong(first + 1, observer.domain());
    statement.setInt(first + 2, observer.version().code());
  }

  /** How often an internal address got no object because there were too many. */
  LongAdder beyondGuard() {
    return beyondGuard;
  }

  private OffsetDateTime now() {
    return OffsetDateTime.ofInstant(clock.instant(), ZoneOffset.UTC);
  }
}
