@NullMarked
package io.peerlens.grafana;

import org.jspecify.annotations.NullMarked;
