package io.peerlens.notify.definition;

import io.peerlens.alerttemplates.LookupTable;
import io.peerlens.alerttemplates.Lookups;
import io.peerlens.definition.DefinitionStore;
import io.peerlens.definition.StoredForm;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Store of lookup tables. Thread-safe. */
public final class LookupStore extends DefinitionStore<LookupFile, NamedTable> implements Lookups {

  LookupStore(JdbcClient jdbc, NotificationVersionStore number, NotificationProperties properties) {
    super(jdbc, number, StoredForm.of("lookup_table", LookupFile.class), properties.history());
  }

  @Override
  protected NamedTable read(UUID id, long version, LookupFile file) {
    return new NamedTable(file.name(), LookupTable.parse(file.csv()));
  }

  @Override
  protected String name(NamedTable table) {
    return table.name();
  }

  @Override
  protected boolean isEnabled(NamedTable table) {
    return true;
  }

  @Override
  public @Nullable LookupTable table(String name) {
    return find(LookupFile.id(name)).map(NamedTable::table).orElse(null);
  }
}
