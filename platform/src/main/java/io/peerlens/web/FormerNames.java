package io.peerlens.web;

import static io.peerlens.web.Contract.map;

import io.peerlens.api.model.Severity;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.PropertyName;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.deser.BeanDeserializerBuilder;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.BeanPropertyWriter;
import tools.jackson.databind.ser.ValueSerializerModifier;

/**
 * Former names of members, {@code x-former-names} in the contract, which are accepted and given for
 * one more version. A number of seconds whose name says so ({@code intervalSeconds}) is the former
 * form of a duration; a member of {@code x-former-upper-case} had its words in capitals, as
 * severities had that are accepted so, too.
 *
 * <p>Requests may use either name; with both, the values must be equal, since nobody can tell which
 * one was meant to change. Answers have both, but for models that the contract holds to their
 * members ({@code additionalProperties: false}). See {@link FormerParameters} for parameters.
 */
public final class FormerNames {

  /** When the names of today came, as RFC 9745 writes it: 2026-11-24. */
  private static final String SINCE = "@1795478400";

  private static final String MODELS = "io.peerlens.api.model";

  private FormerNames() {}

  /**
   * A model with members that were called otherwise.
   *
   * @param names former names by names of today
   * @param capitals former names of members whose words were in capitals
   * @param isOpen whether answers may have members that the contract does not name
   */
  private record Model(Map<String, String> names, Set<String> capitals, boolean isOpen) {}

  private static final class Once {
    static final Map<String, Model> MODELS = models();
  }

  private static Map<String, Model> models() {
    Map<String, Model> models = new HashMap<>();
    map(map(Contract.tree().get("components")).get("schemas"))
        .forEach(
            (name, schema) -> {
              if (map(schema).get("x-former-names") instanceof Map<?, ?> given) {
                Map<String, String> names = new HashMap<>();
                map(given).forEach((today, former) -> names.put(today, String.valueOf(former)));
                boolean isClosed = Boolean.FALSE.equals(map(schema).get("additionalProperties"));
                Set<String> capitals = new HashSet<>();
                if (map(schema).get("x-former-upper-case") instanceof List<?> listed) {
                  listed.forEach(former -> capitals.add(String.valueOf(former)));
                }
                models.put(name, new Model(names, capitals, !isClosed));
              }
            });
    return models;
  }

  private static @Nullable Model model(BeanDescription.Supplier bean) {
    Class<?> type = bean.getBeanClass();
    return type.getPackageName().equals(MODELS) ? Once.MODELS.get(type.getSimpleName()) : null;
  }

  private static boolean isSeconds(String former) {
    return former.endsWith("Seconds");
  }

  /** Marks the answer to the request at hand: it used a name that goes away. */
  static void deprecated() {
    if (RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes request
        && request.getResponse() != null) {
      deprecated(request.getResponse());
    }
  }

  static void deprecated(HttpServletResponse response) {
    response.setHeader("Deprecation", SINCE);
  }

  /** For a mapper that reads requests and files. */
  public static JacksonModule accepted() {
    return new SimpleModule("former names accepted")
        .setDeserializerModifier(new Reading())
        .addDeserializer(Severity.class, new Severities());
  }

  /** For the mapper that writes answers. */
  static JacksonModule given() {
    return new SimpleModule("former names given").setSerializerModifier(new Writing());
  }

  // Reading ---------------------------------------------------------------------------------------

  private static final class Reading extends ValueDeserializerModifier {

    @Override
    public BeanDeserializerBuilder updateBuilder(
        DeserializationConfig config,
        BeanDescription.Supplier bean,
        BeanDeserializerBuilder builder) {
      Model model = model(bean);
      if (model != null) {
        model
            .names()
            .forEach(
                (name, former) -> {
                  SettableBeanProperty today =
                      Objects.requireNonNull(builder.findProperty(PropertyName.construct(name)));
                  builder.addOrReplaceProperty(new Member(today, name, null), true);
                  SettableBeanProperty before = today.withSimpleName(former);
                  builder.addProperty(
                      new Member(
                          isSeconds(former) ? before.withValueDeserializer(new Seconds()) : before,
                          name,
                          former));
                });
      }
      return builder;
    }
  }

  /** A member under one of its two names; {@code former} is null for that of today. */
  private static final class Member extends SettableBeanProperty.Delegating {

    private final String name;
    private final @Nullable String former;

    Member(SettableBeanProperty delegate, String name, @Nullable String former) {
      super(delegate);
      this.name = name;
      this.former = former;
    }

    @Override
    protected SettableBeanProperty withDelegate(SettableBeanProperty other) {
      return new Member(other, name, former);
    }

    @Override
    public void deserializeAndSet(JsonParser parser, DeserializationContext context, Object bean) {
      if (parser.currentToken() == JsonToken.VALUE_NULL) {
        delegate.deserializeAndSet(parser, context, bean);
      } else {
        set(context, bean, delegate.deserialize(parser, context));
      }
    }

    @Override
    public void set(DeserializationContext context, Object bean, @Nullable Object value) {
      Optional<Object> here = Optional.ofNullable(value);
      Optional<Object> other = given(context, bean).putIfAbsent(name, here);
      if (other != null && !other.equals(here)) {
        throw ApiException.invalidField(
            name,
            "is given twice with different values, once by its former name; send one of them");
      }
      if (former != null) {
        deprecated();
      }
      delegate.set(context, bean, value);
    }

    /** What one model was given so far, by names of today. */
    @SuppressWarnings("unchecked")
    private static Map<String, Optional<Object>> given(
        DeserializationContext context, Object bean) {
      IdentityHashMap<Object, Map<String, Optional<Object>>> all =
          (IdentityHashMap<Object, Map<String, Optional<Object>>>)
              context.getAttribute(FormerNames.class);
      if (all == null) {
        all = new IdentityHashMap<>();
        context.setAttribute(FormerNames.class, all);
      }
      return all.computeIfAbsent(bean, b -> new HashMap<>());
    }
  }

  private static final class Seconds extends StdDeserializer<String> {

    Seconds() {
      super(String.class);
    }

    @Override
    public String deserialize(JsonParser parser, DeserializationContext context) {
      return parser.currentToken() == JsonToken.VALUE_NUMBER_INT
          ? Durations.print(Duration.ofSeconds(parser.getIntValue()))
          : (String) context.handleUnexpectedToken(int.class, parser);
    }
  }

  /** Severities of relays were in capitals. */
  private static final class Severities extends StdDeserializer<Severity> {

    Severities() {
      super(Severity.class);
    }

    @Override
    public Severity deserialize(JsonParser parser, DeserializationContext context) {
      if (parser.currentToken() != JsonToken.VALUE_STRING) {
        return (Severity) context.handleUnexpectedToken(Severity.class, parser);
      }
      String word = parser.getString();
      for (Severity one : Severity.values()) {
        if (one.getValue().equals(word)) {
          return one;
        }
        if (one.name().equals(word)) {
          deprecated();
          return one;
        }
      }
      return (Severity) context.handleWeirdStringValue(Severity.class, word, "is not a severity");
    }
  }

  // Writing ---------------------------------------------------------------------------------------

  private static final class Writing extends ValueSerializerModifier {

    @Override
    public List<BeanPropertyWriter> changeProperties(
        SerializationConfig config,
        BeanDescription.Supplier bean,
        List<BeanPropertyWriter> properties) {
      Model model = model(bean);
      if (model == null || !model.isOpen()) {
        return properties;
      }
      List<BeanPropertyWriter> all = new ArrayList<>(properties);
      for (BeanPropertyWriter property : properties) {
        String former = model.names().get(property.getName());
        if (former != null) {
          all.add(new Former(property, former, model.capitals().contains(former)));
        }
      }
      return all;
    }
  }

  /** A member under its former name. */
  private static final class Former extends BeanPropertyWriter {

    private final String former;
    private final boolean isInCapitals;

    Former(BeanPropertyWriter today, String former, boolean isInCapitals) {
      super(today, PropertyName.construct(former));
      this.former = former;
      this.isInCapitals = isInCapitals;
    }

    @Override
    public void serializeAsProperty(Object bean, JsonGenerator json, SerializationContext context)
        throws Exception {
      if (isSeconds(former) && get(bean) instanceof String duration) {
        json.writeNumberProperty(former, Durations.parse(duration).toSeconds());
      } else if (isInCapitals && get(bean) instanceof Object word) {
        json.writeStringProperty(former, word.toString().toUpperCase(Locale.ROOT));
      } else {
        super.serializeAsProperty(bean, json, context);
      }
    }
  }
}
