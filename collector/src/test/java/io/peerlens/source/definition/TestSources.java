package io.peerlens.source.definition;

import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Stores of sources on a database of a test, and rows in them. */
public record TestSources(JdbcClient jdbc, SourceStore store, SourcePauseStore pauses) {

  /** Stores on a database. */
  public static TestSources on(DataSource database) {
    JdbcClient jdbc = JdbcClient.create(database);
    CollectorProperties properties = new CollectorProperties(200, 100, Duration.ofDays(7));
    return new TestSources(
        jdbc,
        new SourceStore(
            jdbc, new SourceVersionStore(jdbc, new JdbcTransactionManager(database)), properties),
        new SourcePauseStore(jdbc));
  }

  /** Adds a source. */
  public UUID add(String name) {
    UUID id = UUID.randomUUID();
    jdbc.sql(
            """
            insert into source (id, name, definition, created_at, created_by, updated_at, updated_by)
            values (:id, :name, jsonb_build_object('name', :name, 'kind', 'vcenter', 'address',
                    'https://' || :name || '.example', 'username', 'reader',
                    'password', jsonb_build_object('secret', 'the-password')),
                    now(), 'test', now(), 'test')
            """)
        .param("id", id)
        .param("name", name)
        .update();
    return id;
  }

  /** Stores another version of a source. */
  public void change(UUID id) {
    jdbc.sql("update source set version = version + 1 where id = :id").param("id", id).update();
  }

  /** Removes a source. */
  public void remove(UUID id) {
    jdbc.sql("delete from source where id = :id").param("id", id).update();
  }
}
