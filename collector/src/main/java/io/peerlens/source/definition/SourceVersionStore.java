package io.peerlens.source.definition;

import io.peerlens.definition.ChangeNumberStore;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Change number of sources; it moves when one is paused or resumed, too. Collectors watch it. */
public final class SourceVersionStore extends ChangeNumberStore {

  SourceVersionStore(JdbcClient jdbc, PlatformTransactionManager transactions) {
    super(jdbc, new TransactionTemplate(transactions), "source_version");
  }
}
