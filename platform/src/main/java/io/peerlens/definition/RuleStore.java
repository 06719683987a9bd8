package io.peerlens.definition;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Change number of all rules that are evaluated: groups, thresholds, alert definitions and what
 * else they need. Evaluators read their rules anew when it moves.
 */
public final class RuleStore extends ChangeNumberStore {

  RuleStore(JdbcClient jdbc, TransactionTemplate transaction) {
    super(jdbc, transaction, "rule_version");
  }
}
