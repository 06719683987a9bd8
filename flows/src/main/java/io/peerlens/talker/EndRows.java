package io.peerlens.talker;

import io.peerlens.flow.rank.FlowEnds;
import io.peerlens.flow.rank.TalkerDimension;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;

/**
 * Placement of the endpoints of flows in machines, hosts, clusters, tiers and networks, as of now.
 * Ids are given one after another, so they index arrays: 24 bytes an endpoint.
 */
final class EndRows implements FlowEnds {

  /** Tiers of different applications have the same names: shop/db and pay/db. */
  static final String TIER_NAME =
      """
      case when o.tags ->> 'tier' <> '' then concat_ws('/', nullif(o.tags ->> 'app', ''), o.tags ->> 'tier') end\
      """;

  /** Tiers are numbered before they are asked for, so that the table is read as it stays. */
  private static final String NUMBER_TIERS =
      """
      with tier as (
        select distinct %s as name from endpoint e join object o on o.id = e.object_id
      )
      insert into talker_tier (name)
      select name from tier where name is not null and not exists (select from talker_tier t where t.name = tier.name)
      on conflict do nothing
      """
          .formatted(TIER_NAME);

  /**
   * What an endpoint is and where it runs, one row each; columns that nobody reads cost nothing.
   */
  static final String PLACED =
      """
      select e.id, e.internal, e.object_id, e.network_id, t.id as tier,
             case when o.object_kind = 'VirtualMachine' then o.id end as vm,
             case when o.object_kind in ('HostSystem', 'Host') then o.id else h.host end as host,
             coalesce(ch.cluster, co.cluster) as cluster
      from endpoint e
      left join object o on o.id = e.object_id
      left join (
        select r.child_id, min(p.id) as host from relation r join object p on p.id = r.parent_id
        where p.object_kind = 'HostSystem' group by r.child_id
      ) h on h.child_id = o.id
      left join (
        select r.child_id, min(p.id) as cluster from relation r join object p on p.id = r.parent_id
        where p.object_kind = 'ClusterComputeResource' group by r.child_id
      ) ch on ch.child_id = case when o.object_kind in ('HostSystem', 'Host') then o.id else h.host end
      left join (
        select r.child_id, min(p.id) as cluster from relation r join object p on p.id = r.parent_id
        where p.object_kind = 'ClusterComputeResource' group by r.child_id
      ) co on co.child_id = o.id
      left join talker_tier t on t.name = %s
      """
          .formatted(TIER_NAME);

  private static final String READ =
      "select id, internal, object_id, vm, host, cluster, tier, network_id from (%s) as placed"
          .formatted(PLACED);

  private static final int FETCH = 10_000;

  private static final int VM = 0;
  private static final int HOST = 1;
  private static final int CLUSTER = 2;
  private static final int TIER = 3;
  private static final int NETWORK = 4;
  private static final int PAIR = 5;

  private final int[][] talkers = new int[PAIR + 1][];
  private boolean[] internal = new boolean[1024];

  private EndRows() {
    for (int i = 0; i < talkers.length; i++) {
      talkers[i] = new int[1024];
      Arrays.fill(talkers[i], NO_TALKER);
    }
  }

  /** Reads it in the transaction of the connection, which must not commit by itself. */
  static EndRows read(Connection connection) throws SQLException {
    EndRows table = new EndRows();
    try (PreparedStatement statement = connection.prepareStatement(NUMBER_TIERS)) {
      statement.executeUpdate();
    }
    try (PreparedStatement statement = connection.prepareStatement(READ)) {
      statement.setFetchSize(FETCH);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          table.add(row);
        }
      }
    }
    return table;
  }

  private void add(ResultSet row) throws SQLException {
    int id = row.getInt(1);
    reserve(id);
    internal[id] = row.getBoolean(2);
    int object = row.getInt(3);
    talkers[PAIR][id] = pairEnd(row.wasNull() ? NO_TALKER : object, id);
    for (int i = VM; i <= NETWORK; i++) {
      int talker = row.getInt(4 + i);
      talkers[i][id] = row.wasNull() ? NO_TALKER : talker;
    }
  }

  /** One number for objects and for endpoints without: the object * 2, or the endpoint * 2 + 1. */
  private static int pairEnd(int object, int endpoint) {
    return object == NO_TALKER
        ? Math.addExact(Math.multiplyExact(endpoint, 2), 1)
        : Math.multiplyExact(object, 2);
  }

  private void reserve(int id) {
    int length = internal.length;
    if (id < length) {
      return;
    }
    int longer = Math.max(id + 1, 2 * length);
    internal = Arrays.copyOf(internal, longer);
    for (int i = 0; i < talkers.length; i++) {
      talkers[i] = Arrays.copyOf(talkers[i], longer);
      Arrays.fill(talkers[i], length, longer, NO_TALKER);
    }
  }

  @Override
  public boolean internal(int endpoint) {
    return endpoint < internal.length && internal[endpoint];
  }

  @Override
  public int talker(TalkerDimension dimension, int endpoint) {
    int of =
        switch (dimension) {
          case VM -> VM;
          case HOST -> HOST;
          case CLUSTER -> CLUSTER;
          case TIER -> TIER;
          case NETWORK -> NETWORK;
          case PAIR -> PAIR;
          case PORT, PROTOCOL ->
              throw new IllegalArgumentException(dimension + " is not determined by an end");
        };
    int talker = endpoint < internal.length ? talkers[of][endpoint] : NO_TALKER;
    // An endpoint that came after this was read.
    return of == PAIR && talker == NO_TALKER ? pairEnd(NO_TALKER, endpoint) : talker;
  }
}
