package io.peerlens.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.TestDatabase;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What the API takes with 100,000 objects; prints the figures. */
@Tag("proof")
class ManyObjectsIT {

  /** Generous, since build machines are slow and shared; a missing index costs more. */
  private static final Duration LIMIT = Duration.ofSeconds(2);

  private static final PeerlensServer SERVER =
      PeerlensServer.start(TestDatabase.migrated(), Set.of(Role.API));

  @BeforeAll
  static void fill() {
    JdbcClient jdbc = SERVER.context().getBean(JdbcClient.class);
    jdbc.sql(
            """
            insert into object (uuid, adapter_kind, object_kind, external_id, name, properties, tags,
                                attributes_time, first_seen)
            select md5(i::text)::uuid, 'VMWARE',
                   case when i <= 20 then 'Datacenter' when i <= 200 then 'ClusterComputeResource'
                        when i <= 5000 then 'HostSystem' else 'VirtualMachine' end,
                   'vc-1.example.net/' || i, 'shop-web-' || i,
                   jsonb_build_object('guest', 'rhel8_64Guest', 'uuid', md5('u' || i), 'os', 'linux ' || i % 7),
                   jsonb_build_object('tier', (array['web', 'db', 'dns'])[1 + i % 3], 'app', 'shop-' || i % 50),
                   now(), now() - i * interval '1 s'
            from generate_series(1, 100000) i
            """)
        .update();
    jdbc.sql(
            """
            insert into object_liveness (object_id, last_seen)
            select id, now() - (id % 1000) * interval '1 s' from object
            """)
        .update();
    jdbc.sql(
            """
            insert into relation (parent_id, child_id)
            select p.id, c.id from object c join object p on p.external_id = 'vc-1.example.net/' ||
              case c.object_kind when 'ClusterComputeResource' then 1 + c.id % 20
                                 when 'HostSystem' then 21 + c.id % 180
                                 when 'VirtualMachine' then 201 + c.id % 4800 end
            where c.object_kind <> 'Datacenter'
            """)
        .update();
    jdbc.sql("analyze").update();
  }

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/objects",
        "/objects?limit=1000&withPath=true",
        "/objects?sort=-lastSeen",
        "/objects?objectKind=VirtualMachine&tag=tier%3Dweb&tag=app%3Dshop-7",
        "/objects?name=web-999",
        "/objects?q=linux%20shop-42",
        "/objects?silent=true",
        "/objects?ancestor=c4ca4238-a0b9-2382-0dcc-509a6f75849b",
        "/objects/tree",
        "/adapter-kinds",
      })
  void queriesOfManyObjectsAreFast(String path) {
    ApiClient api = SERVER.admin();
    long[] millis = new long[7];
    for (int i = 0; i < millis.length; i++) {
      long begin = System.nanoTime();
      Answer answer = api.get(path);
      millis[i] = (System.nanoTime() - begin) / 1_000_000;
      assertThat(answer.status()).isEqualTo(200);
    }
    Arrays.sort(millis);
    System.out.printf("100,000 objects: %5d ms (median of 7) %s%n", millis[3], path);
    assertThat(Duration.ofMillis(millis[3])).isLessThan(LIMIT);
  }
}
