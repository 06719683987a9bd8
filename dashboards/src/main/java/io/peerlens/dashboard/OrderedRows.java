package io.peerlens.dashboard;

import io.peerlens.definition.DefinitionRows;
import io.peerlens.definition.StoredForm;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;

/** Rows of definitions whose members keep the order in which their author wrote them. */
record OrderedRows<E>(StoredForm<E> form) implements DefinitionRows<E> {

  @Override
  public String table() {
    return form.table();
  }

  @Override
  public Map<String, String> sql() {
    return Map.of("definition", ":definition::json", "form", ":form");
  }

  @Override
  public Map<String, Object> values(E definition) {
    return Map.of("definition", form.write(definition), "form", form.number());
  }

  @Override
  public E read(ResultSet row) throws SQLException {
    return form.read(row.getInt("form"), row.getString("definition"));
  }
}
