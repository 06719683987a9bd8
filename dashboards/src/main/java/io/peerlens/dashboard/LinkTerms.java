package io.peerlens.dashboard;

import io.peerlens.api.model.DashboardFreeVariable;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a public link makes of its dashboard, as it is stored.
 *
 * @param variables values that it fixes, and those with which free ones begin
 * @param free variables that its readers choose
 */
record LinkTerms(Map<String, String> variables, List<DashboardFreeVariable> free) {

  LinkTerms {
    variables = Map.copyOf(variables);
    free = List.copyOf(free);
  }

  Optional<DashboardFreeVariable> free(String name) {
    return free.stream().filter(one -> one.getName().equals(name)).findFirst();
  }
}
