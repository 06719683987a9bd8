package io.peerlens.scope;

import io.peerlens.api.model.ObjectKindRef;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.web.ApiException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reader of scopes as the contract writes them. */
public final class ScopeReader {

  private ScopeReader() {}

  /**
   * Reads a scope.
   *
   * @param path of the field, for instance {@code scope}
   * @param wanted null = every object
   * @throws ApiException if something in it makes no sense
   */
  public static Scope scope(String path, io.peerlens.api.model.@Nullable Scope wanted) {
    if (wanted == null) {
      return Scope.ALL;
    }
    ScopeCondition only =
        condition(
            path,
            new io.peerlens.api.model.ScopeCondition()
                .objectKinds(wanted.getObjectKinds())
                .groups(wanted.getGroups())
                .tags(wanted.getTags())
                .properties(wanted.getProperties())
                .name(wanted.getName())
                .ancestors(wanted.getAncestors())
                .objects(wanted.getObjects()));
    List<ScopeCondition> exclude = new ArrayList<>();
    List<io.peerlens.api.model.ScopeCondition> exceptions = list(wanted.getExclude());
    for (int i = 0; i < exceptions.size(); i++) {
      String at = path + ".exclude[" + i + "]";
      ScopeCondition condition = condition(at, exceptions.get(i));
      if (condition.equals(ScopeCondition.ALL)) {
        throw ApiException.invalidField(at, "has no condition, so it would leave out every object")
            .hint("Give it a condition, or leave it out.");
      }
      exclude.add(condition);
    }
    return new Scope(only, exclude);
  }

  private static ScopeCondition condition(
      String path, io.peerlens.api.model.ScopeCondition wanted) {
    List<ObjectKind> kinds = new ArrayList<>();
    for (ObjectKindRef kind : list(wanted.getObjectKinds())) {
      kinds.add(kind(path + ".objectKinds[" + kinds.size() + "]", kind));
    }
    String name = wanted.getName();
    if (name != null) {
      storable(path + ".name", name);
    }
    return new ScopeCondition(
        kinds,
        list(wanted.getGroups()),
        pairs(path + ".tags", list(wanted.getTags())),
        pairs(path + ".properties", list(wanted.getProperties())),
        name,
        list(wanted.getAncestors()),
        list(wanted.getObjects()));
  }

  /**
   * Reads an object kind; {@code *} is none.
   *
   * @param path of the field
   */
  public static ObjectKind kind(String path, ObjectKindRef wanted) {
    String adapter = wanted.getAdapterKind();
    String object = wanted.getObjectKind();
    if (adapter.equals("*") || object.equals("*")) {
      throw ApiException.invalidField(path, "* is no object kind")
          .hint("Name the kind, for instance VMWARE and VirtualMachine.");
    }
    storable(path + ".adapterKind", adapter);
    storable(path + ".objectKind", object);
    return new ObjectKind(adapter, object);
  }

  private static List<String> pairs(String path, List<String> pairs) {
    for (int i = 0; i < pairs.size(); i++) {
      String at = path + "[" + i + "]";
      if (pairs.get(i).startsWith("=")) {
        throw ApiException.invalidField(at, "\"" + pairs.get(i) + "\" has no key")
            .hint("Give it as key=value, or as key for any value.");
      }
      storable(at, pairs.get(i));
    }
    return pairs;
  }

  /** Refuses a text that the database cannot keep. */
  public static String storable(String path, String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
      } else if (c == 0 || Character.isSurrogate(c)) {
        throw ApiException.invalidField(
            path, "holds U+%04X, which cannot be stored".formatted((int) c));
      }
    }
    return text;
  }

  private static <T> List<T> list(@Nullable List<T> given) {
    return given == null ? List.of() : given;
  }
}
