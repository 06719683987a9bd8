@NullMarked
package io.peerlens.vcenter.vim;

import org.jspecify.annotations.NullMarked;
